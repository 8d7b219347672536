import { BaeError } from './bae-error.ts';

/** A resourcespace that cannot be registered: thrown while an agent is put together, never later. */
export class InvalidSpaceError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_INVALID_SPACE', hints, cause });
  }
}
