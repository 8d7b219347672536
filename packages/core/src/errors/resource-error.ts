import { BaeError } from './bae-error.ts';

/** A resource, space or tool that is not there, or does not support what was asked of it. */
export class ResourceError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_RESOURCE', hints, cause });
  }
}
