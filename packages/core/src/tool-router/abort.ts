import { AbortError } from '../errors/session-errors.ts';

/** @throws AbortError when the signal has aborted */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortError(undefined, signal.reason);
}

/**
 * Waits for work, but no longer than until the signal aborts; the work itself is not stopped.
 *
 * @throws AbortError when the signal aborts first, else what the work throws
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new AbortError(undefined, signal.reason));
    signal.addEventListener('abort', cancel, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
    if (signal.aborted) cancel();
  });
}
