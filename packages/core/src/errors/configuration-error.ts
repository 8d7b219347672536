import { BaeError } from './bae-error.ts';

/** Settings that do not make sense: thrown at start, before any model is asked. */
export class ConfigurationError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_CONFIGURATION', hints, cause });
  }
}
