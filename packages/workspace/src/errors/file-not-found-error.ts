import { BaeError } from '@bae/core';

/** A file or folder that is not there; names the one that was probably meant. */
export class FileNotFoundError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_FILE_NOT_FOUND', hints, cause });
  }
}
