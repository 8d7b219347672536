import { BaeError } from '@bae/core';

/** The code of a loaded space that could not be loaded anew; the code from before stays in use. */
export class ReloadError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_RELOAD', hints, cause });
  }
}
