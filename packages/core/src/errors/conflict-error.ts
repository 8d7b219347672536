import { BaeError } from './bae-error.ts';

/** A change that was refused because its target is not what the caller last saw. */
export class ConflictError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_CONFLICT', hints, cause });
  }
}
