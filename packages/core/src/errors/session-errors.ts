import { BaeError } from './bae-error.ts';

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
