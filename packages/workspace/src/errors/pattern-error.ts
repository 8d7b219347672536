import { BaeError } from '@bae/core';

/** A regular expression or file pattern that cannot be used; says where and why. */
export class PatternError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PATTERN', hints, cause });
  }
}
