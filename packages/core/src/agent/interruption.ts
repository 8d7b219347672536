import { AbortError } from '../errors/session-errors.ts';
import { BaeError } from '../errors/bae-error.ts';

/** Throws when a turn has been cancelled. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw asAbortError(signal);
}

/** What a cancelled turn rejects with. */
export function asAbortError(signal: AbortSignal): AbortError {
  return AbortError.is(signal.reason) && signal.reason instanceof AbortError
    ? signal.reason
    : new AbortError(undefined, signal.reason);
}

/** The error that a signal was aborted with; that the turn was cancelled, when it was none of ours. */
export function reasonOf(signal: AbortSignal): BaeError {
  return BaeError.is(signal.reason) ? signal.reason : asAbortError(signal);
}
