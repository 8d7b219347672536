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

/** A resource, space or tool that does not exist, or does not support the operation. */
export class ResourceError extends BaeError.withCode({ code: 'BAE_RESOURCE' }) {}

/** Arguments that do not match a tool's parameters; the tool has not run. */
export class ParameterError extends BaeError.withCode({ code: 'BAE_PARAMETER' }) {}

/** A line range that is invalid or lies outside its resource; shown as `RangeError`. */
export class LineRangeError extends BaeError.withCode({ code: 'BAE_LINE_RANGE' }) {
  override name = 'RangeError';
}

/** A change that was refused because its target is not what the caller last saw. */
export class ConflictError extends BaeError.withCode({ code: 'BAE_CONFLICT' }) {}

/** Returns true for a ConflictError of any loaded copy of this package. */
export function isConflict(error: unknown): boolean {
  return BaeError.is(error) && error.name === 'ConflictError';
}

/** A call that needs consent and did not get it; nothing was changed or shown. */
export class ApprovalError extends BaeError.withCode({ code: 'BAE_APPROVAL' }) {
  /** True when nobody was available to decide. */
  isUnanswered = false;
}

/** A tool call that exceeded its time limit and was stopped. */
export class TimeoutError extends BaeError.withCode({ code: 'BAE_TIMEOUT' }) {}

/** A tool that ran and returned a value that can be shown neither as text nor as data. */
export class ResultError extends BaeError.withCode({ code: 'BAE_RESULT' }) {}

/** A run block that could not be executed. */
export class RunError extends BaeError.withCode({ code: 'BAE_RUN' }) {}

/** A turn that was cancelled; anything that ran before the cancellation stays in the conversation. */
export class AbortError extends BaeError {
  constructor(message = 'the turn was cancelled', cause?: unknown) {
    super(message, { code: 'BAE_ABORT', cause });
  }
}

interface ModelErrorOptions {
  /** True when the same request may succeed later (rate limit, overload, lost connection). */
  readonly retryable?: boolean;
  /** Delay before the next try that the service requested, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly hints?: readonly string[];
  readonly cause?: unknown;
}

/** A model that could not be reached, refused, or broke off; nothing of its response was executed. */
export class ModelError extends BaeError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, { code: 'BAE_MODEL', hints: options.hints ?? [], cause: options.cause });
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Invalid settings; thrown at start, before any request to a model. */
export class ConfigurationError extends BaeError.withCode({ code: 'BAE_CONFIGURATION' }) {}

/** A resourcespace that cannot be registered; thrown while an agent is created, never later. */
export class InvalidSpaceError extends BaeError.withCode({ code: 'BAE_INVALID_SPACE' }) {}
