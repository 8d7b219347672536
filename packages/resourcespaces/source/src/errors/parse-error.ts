import { BaeError } from '@bae/core';

/** Code that is not well formed, by itself or where it is to stand; nothing was changed. */
export class ParseError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PARSE', hints, cause });
  }
}
