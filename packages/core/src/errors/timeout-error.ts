import { BaeError } from './bae-error.ts';

/** A tool call that took longer than its time limit and was stopped. */
export class TimeoutError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_TIMEOUT', hints, cause });
  }
}
