import { BaeError } from '@bae/core';

/** The package manager of a project did not do what it was asked for. */
export class PackageError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PACKAGE', hints, cause });
  }
}
