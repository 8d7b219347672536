import { BaeError } from './bae-error.ts';

/** A run block that could not be executed. */
export class RunError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_RUN', hints, cause });
  }
}
