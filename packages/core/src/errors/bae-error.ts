const BRAND = Symbol.for('bae.error');

interface BaeErrorOptions {
  /** Stable code of the error, `BAE_…`; listed in docs/reference/errors.md. */
  readonly code: string;
  /** Next steps, most useful first: literal tags or `space()` mentions. */
  readonly hints?: readonly string[];
  readonly cause?: unknown;
}

/**
 * Base class of every error that bae throws intentionally. The model and people see `name` before the message. It is
 * the name of the class; a class whose name is not self-explanatory sets a different one.
 */
export class BaeError extends Error {
  readonly code: string;
  readonly hints: readonly string[];

  constructor(message: string, options: BaeErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    // Bundlers number classes of the same name: `StoreError$1`.
    this.name = new.target.name.replace(/\$\d+$/, '');
    this.code = options.code;
    this.hints = toHints(options.hints);
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Creates the base class of errors with one code, each of which gets a message, hints and a cause. */
  static withCode({
    code,
  }: Pick<BaeErrorOptions, 'code'>): new (message: string, hints?: readonly string[], cause?: unknown) => BaeError {
    return class extends BaeError {
      constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
        super(message, { code, hints, cause });
      }
    };
  }

  /** Returns true for a bae error of any loaded copy of this package. */
  static is(value: unknown): value is BaeError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** Returns the hints of an error; code without types may give one text, or something else. */
function toHints(hints: unknown): readonly string[] {
  return [hints].flat().filter((hint) => typeof hint === 'string');
}

/** A name that home does not have: the property `missing` of an error of its read makes other spaces be asked for it. */
export interface MissingName {
  readonly name: string;
  /** True if the hints of the error already name what may be meant. */
  readonly hasNear: boolean;
}

const LONGEST_LINE = 160;
/** Maximum length of a message that is read for a line, in characters: a server may send one of any length. */
const LONGEST_MESSAGE = 10_000;

/** Formats any thrown value as one short line: `Error: disk is full`. */
export function formatErrorLine(error: unknown): string {
  const text = asText(error).slice(0, LONGEST_MESSAGE).replaceAll(/\s+/g, ' ').trim();
  const points = Array.from(text);
  return points.length <= LONGEST_LINE ? text : `${points.slice(0, LONGEST_LINE - 1).join('')}…`;
}

function asText(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
  } catch {
    return 'Error: an unreadable value was thrown';
  }
}
