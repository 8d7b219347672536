import { BaeError } from '../errors/bae-error.ts';

const NO_MESSAGE = '(no message)';

/** An error as text for the model; the stack is for debug views only. */
interface RenderedError {
  /** `Name: message`; for a bae error with hints a second part `Try: first, second`. */
  readonly text: string;
  /** Class name of the error. */
  readonly errorType: string;
  /** Present for errors that were not raised on purpose. */
  readonly stack?: string;
}

/**
 * Renders anything that was thrown.
 *
 * The message of a bae error is written for the model, so it is rendered in full; of any other error only
 * the first line.
 *
 * @param rewriteHint adapts a hint to its reader. Default: leaves it as it is
 */
export function renderError(error: unknown, rewriteHint = (hint: string): string => hint): RenderedError {
  try {
    if (BaeError.is(error)) return renderBaeError(error, rewriteHint);
    if (!isErrorLike(error)) return { text: `Error: ${firstLine(describe(error))}`, errorType: 'Error' };
    const errorType = className(error);
    const stack = typeof error.stack === 'string' ? { stack: error.stack } : {};
    return { text: `${errorType}: ${firstLine(error.message)}`, errorType, ...stack };
  } catch {
    // Anything can be thrown, even something that throws when its fields are read.
    return { text: `Error: ${NO_MESSAGE}`, errorType: 'Error' };
  }
}

function renderBaeError({ name, message, hints }: BaeError, rewriteHint: (hint: string) => string): RenderedError {
  const remedy = hints.length > 0 ? `\nTry: ${hints.map(rewriteHint).join(', ')}` : '';
  return { text: `${name}: ${message}${remedy}`, errorType: name };
}

/** Errors of another realm are not instances of this realm's Error, so only their shape is checked. */
function isErrorLike(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false;
  const { name, message } = value as Partial<Error>;
  return typeof name === 'string' && typeof message === 'string';
}

function className(error: Error): string {
  if (error.name !== 'Error' && error.name !== '') return error.name;
  const name = error.constructor?.name ?? '';
  return name === '' || name === 'Object' ? 'Error' : name;
}

function describe(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  try {
    return JSON.stringify(thrown) ?? '';
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0];
  return line === undefined || line === '' ? NO_MESSAGE : line;
}
