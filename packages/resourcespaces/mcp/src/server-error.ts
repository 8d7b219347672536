import { BaeError } from '@bae/core';

/**
 * Thrown when a server does not start, answer, or accept a call. The message names the server; everything else keeps
 * working.
 */
export class ServerError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_SERVER', hints, cause });
  }
}

/** Finds the system's error code if an address cannot be reached (`ECONNREFUSED`); undefined for any other failure. */
export function findNetworkCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const { code, syscall, cause, data } = at as NodeJS.ErrnoException & {
      readonly data?: { readonly cause?: unknown };
    };
    if (code !== undefined && syscall !== undefined) return code;
    at = cause ?? data?.cause;
  }
  return undefined;
}
