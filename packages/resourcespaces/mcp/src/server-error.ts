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
