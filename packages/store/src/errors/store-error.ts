import { BaeError } from '@bae/core';

/** A database that cannot be opened, read or written; what it held before is still there. */
export class StoreError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_STORE', hints, cause });
  }
}
