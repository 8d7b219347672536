import { BaeError } from '@bae/core';

/** A file that tools never write, or whose content is shown only to whom the user allows it. */
export class ProtectedFileError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PROTECTED_FILE', hints, cause });
  }
}
