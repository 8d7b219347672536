const BRAND = Symbol.for('bae.error');

/** What every bae error can carry besides its sentence. */
export interface BaeErrorOptions {
  /** Stable code of the error, `BAE_…`, listed in docs/reference/errors.md. */
  readonly code: string;
  /** What to do next, most useful first: literal tags or `space()` mentions. */
  readonly hints?: readonly string[];
  readonly cause?: unknown;
}

/**
 * Base class of every error that bae raises on purpose.
 *
 * Its `name` is what the model and people see in front of the message, so a subclass sets it to a
 * name that explains itself (`ResourceError`, `FileNotFoundError`).
 */
export class BaeError extends Error {
  readonly code: string;
  readonly hints: readonly string[];

  constructor(message: string, options: BaeErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.hints = options.hints ?? [];
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for a bae error of any loaded copy of this package. */
  static is(value: unknown): value is BaeError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
