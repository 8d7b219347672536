import { BaeError } from '@bae/core';

/** Error about a package of resourcespaces that cannot be used. The message names it; all others are unaffected. */
export class PluginError extends BaeError.withCode({ code: 'BAE_PLUGIN' }) {}

/** Summarizes a thrown value in one short line without a full stop, for use in a sentence: `Error: disk is full`. */
export function summarizeError(error: unknown): string {
  let text = 'Error: an unreadable value was thrown';
  try {
    text = error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
  } catch {
    // The value throws when it is read.
  }
  return limitLength(text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), 200);
}

/** Returns the beginning of a text, up to a maximum number of characters. */
export function limitLength(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
