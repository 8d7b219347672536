import { BaeError } from '@bae/core';

/** A path that leads, or may lead, out of the workspace; nothing was opened. */
export class PathError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PATH', hints, cause });
  }
}
