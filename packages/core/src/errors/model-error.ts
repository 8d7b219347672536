import { BaeError } from './bae-error.ts';

/** What an adapter knows about why a model did not answer. */
export interface ModelErrorOptions {
  /** True when the same request may succeed later (rate limit, overload, lost connection). */
  readonly retryable?: boolean;
  /** How long the service asked to wait before the next try, in milliseconds. */
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
