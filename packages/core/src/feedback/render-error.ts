import { BaeError, type MissingName } from '../errors/bae-error.ts';

const NO_MESSAGE = '(no message)';

interface RenderedError {
  /** `Name: message`; for a bae error with hints, also a line `Try: hint` for each. */
  readonly text: string;
  readonly errorType: string;
  readonly missing?: MissingName;
  /** Stack trace for debug views; present for errors that were not thrown intentionally. */
  readonly stack?: string;
}

/**
 * Renders any thrown value: a bae error in full, because it is written for the model, any other by its first line.
 *
 * @param rewriteHint adapts a hint to its reader. Default: leaves it unchanged
 */
export function renderError(error: unknown, rewriteHint = (hint: string): string => hint): RenderedError {
  try {
    if (BaeError.is(error)) {
      const remedy = listRemedies(error.hints.map(rewriteHint))
        .map((one) => `\nTry: ${one}`)
        .join('');
      const { missing } = error as { readonly missing?: MissingName };
      return { text: `${error.name}: ${error.message}${remedy}`, errorType: error.name, ...(missing && { missing }) };
    }
    if (!isErrorLike(error)) return { text: `Error: ${takeFirstLine(describeThrown(error))}`, errorType: 'Error' };
    const errorType = getClassName(error);
    const stack = typeof error.stack === 'string' ? { stack: error.stack } : {};
    return { text: `${errorType}: ${takeFirstLine(error.message)}`, errorType, ...stack };
  } catch {
    // Any value can be thrown, even one that throws when its fields are read.
    return { text: `Error: ${NO_MESSAGE}`, errorType: 'Error' };
  }
}

const MENTION = /^[^\s<>@()]+\(\)$/;

/** Lists one remedy a line, so that each can be typed as it is; places to choose from are one line. */
function listRemedies(hints: readonly string[]): readonly string[] {
  const places = hints.filter((hint) => MENTION.test(hint));
  const others = hints.filter((hint) => !MENTION.test(hint));
  return [...new Set([...others, ...(places.length > 0 ? [places.join(', ')] : [])])];
}

/** Errors of another realm are not instances of this realm's Error, so only their shape is checked. */
function isErrorLike(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false;
  const { name, message } = value as Partial<Error>;
  return typeof name === 'string' && typeof message === 'string';
}

function getClassName(error: Error): string {
  if (error.name !== 'Error' && error.name !== '') return error.name;
  const name = error.constructor?.name ?? '';
  return name === '' || name === 'Object' ? 'Error' : name;
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  try {
    return JSON.stringify(thrown) ?? '';
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

function takeFirstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] || NO_MESSAGE;
}
