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

/**
 * Waits for work, but no longer than until the signal aborts; the work itself is not stopped.
 *
 * @throws AbortError when the signal aborts first, else what the work throws
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(toAbortError(signal));
    signal.addEventListener('abort', cancel, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
    if (signal.aborted) cancel();
  });
}
