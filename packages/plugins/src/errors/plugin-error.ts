import { BaeError } from '@bae/core';

/** A package of resourcespaces that cannot be used: the message names it, and everything else goes on. */
export class PluginError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PLUGIN', hints, cause });
  }
}
