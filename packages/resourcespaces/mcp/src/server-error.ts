import { BaeError } from '@bae/core';

/**
 * Thrown when a server does not start, answer, or accept a call. The message names the server; everything else keeps
 * working.
 */
export class ServerError extends BaeError.withCode({ code: 'BAE_SERVER' }) {}
