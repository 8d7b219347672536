import { BaeError } from './bae-error.ts';

/** Settings that are invalid; thrown at start, before any request to a model. */
export class ConfigurationError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_CONFIGURATION', hints, cause });
  }
}

/** A resourcespace that cannot be registered; thrown while an agent is created, never later. */
export class InvalidSpaceError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_INVALID_SPACE', hints, cause });
  }
}
