import { AbortError } from '../errors/session-errors.ts';

/** What is known about a call that was cancelled while it ran. */
export const INTERRUPTED = 'interrupted, outcome unknown. Look at its effect before you repeat it.';

/** @throws AbortError when the signal has aborted */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw toAbortError(signal);
}

/** The AbortError that a signal was aborted with, or a new one with its reason as the cause. */
export function toAbortError({ reason }: AbortSignal): AbortError {
  return reason instanceof AbortError ? reason : new AbortError(undefined, reason);
}
