import { BaeError } from '@bae/core';

/** An edit that does not say clearly what to change; the file is untouched. */
export class EditError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_EDIT', hints, cause });
  }
}
