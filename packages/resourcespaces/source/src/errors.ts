import { BaeError } from '@bae/core';

/** New code has a syntax error, by itself or in its place; nothing was changed. */
export class ParseError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PARSE', hints, cause });
  }
}

/** The code of a space could not be reloaded; the code from before stays in use. */
export class ReloadError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_RELOAD', hints, cause });
  }
}

/** The package manager of a project is not installed or failed. */
export class PackageError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PACKAGE', hints, cause });
  }
}
