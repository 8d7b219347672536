import { BaeError } from '../errors/bae-error.ts';

type WordHint = (hint: string) => string;

const asItIs: WordHint = (hint) => hint;

const NO_MESSAGE = '(no message)';

/** An error as text for the model, with what only debug views show kept apart. */
export interface RenderedError {
  /** `Name: message`; for a bae error with hints a second part `Try: first, second`. */
  readonly text: string;
  /** Class name of the error. */
  readonly errorType: string;
  /** Present for errors that nobody raised on purpose. */
  readonly stack?: string;
}

/**
 * Words anything that was thrown.
 *
 * A bae error speaks in full, since its message was written for the reader; of any other error only
 * the first line is shown.
 *
 * @param worded words a hint for whom the text is meant for. Default: as it is
 */
export function renderError(error: unknown, worded: WordHint = asItIs): RenderedError {
  try {
    return render(error, worded);
  } catch {
    // Anything can be thrown, even something that throws when it is looked at.
    return { text: `Error: ${NO_MESSAGE}`, errorType: 'Error' };
  }
}

function render(error: unknown, worded: WordHint): RenderedError {
  if (BaeError.is(error)) return renderOwn(error, worded);
  if (!isErrorLike(error)) return { text: `Error: ${firstLine(describe(error))}`, errorType: 'Error' };
  const errorType = className(error);
  const stack = typeof error.stack === 'string' ? { stack: error.stack } : {};
  return { text: `${errorType}: ${firstLine(error.message)}`, errorType, ...stack };
}

function renderOwn({ name, message, hints }: BaeError, worded: WordHint): RenderedError {
  const remedy = hints.length > 0 ? `\nTry: ${hints.map(worded).join(', ')}` : '';
  return { text: `${name}: ${message}${remedy}`, errorType: name };
}

/** Errors of another realm are no instances of this realm's Error, so only their shape is asked for. */
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
