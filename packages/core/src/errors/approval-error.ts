import { BaeError } from './bae-error.ts';

/** A call that needs someone's consent and did not get it; nothing was changed or shown. */
export class ApprovalError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_APPROVAL', hints, cause });
  }
}
