import { BaeError } from './bae-error.ts';

/** A turn that was cancelled; what ran before the cancellation stays in the conversation. */
export class AbortError extends BaeError {
  constructor(message = 'the turn was cancelled', cause?: unknown) {
    super(message, { code: 'BAE_ABORT', cause });
  }
}
