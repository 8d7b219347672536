import { BaeError, ResourceError } from '@bae/core';

/** New code has a syntax error, by itself or in its place; nothing was changed. */
export class ParseError extends BaeError.withCode({ code: 'BAE_PARSE' }) {}

/** The code of a space could not be reloaded; the previous code stays in use. */
export class ReloadError extends BaeError.withCode({ code: 'BAE_RELOAD' }) {}

/** An address has no target, but a nearly identical one does. Models see it as a ResourceError. */
export class MisspeltAddressError extends ResourceError {
  /** The address that was probably meant. */
  readonly nearest: string;
  /** True if nothing else can be meant. */
  readonly isCertain: boolean;

  constructor({ message, hints }: BaeError, nearest: string, isCertain: boolean) {
    super(message, hints);
    this.name = 'ResourceError';
    this.nearest = nearest;
    this.isCertain = isCertain;
  }
}

/** The package manager of a project is not installed or failed. */
export class PackageError extends BaeError.withCode({ code: 'BAE_PACKAGE' }) {}

/** Waits for a read; returns undefined when it fails because of a secret, a binary file, or a removed file. */
export async function readIfPossible<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (BaeError.is(error)) return undefined;
    throw error;
  }
}
