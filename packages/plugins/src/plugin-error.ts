import { BaeError } from '@bae/core';

/** A package of resourcespaces that cannot be used. The message names the package; everything else goes on. */
export class PluginError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PLUGIN', hints, cause });
  }
}

/** A thrown value as one short line without a full stop, for the middle of a sentence: `Error: disk is full`. */
export function summarizeError(error: unknown): string {
  let text = 'Error: an unreadable value was thrown';
  try {
    text = error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
  } catch {
    // It throws when it is read.
  }
  return limitLength(text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), 200);
}

/** The beginning of a text, at most so many characters long. */
export function limitLength(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
