import { BaeError } from '@bae/core';

/** A file or folder that is there and cannot be used as asked: a pipe, a folder, no permission, a full disk. */
export class FileError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_FILE', hints, cause });
  }
}
