import { BaeError } from './bae-error.ts';

/** Arguments that do not fit a tool's parameters; the tool has not run. */
export class ParameterError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PARAMETER', hints, cause });
  }
}
