import { BaeError } from '@bae/core';

/** A file whose first bytes are not text, where text was asked for. */
export class BinaryFileError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_BINARY_FILE', hints, cause });
  }
}
