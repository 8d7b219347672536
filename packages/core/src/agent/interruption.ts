import { AbortError } from '../errors/abort-error.ts';
import type { Timers } from '../protocol/host.ts';

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

/**
 * Waits so many milliseconds.
 *
 * @throws AbortError when the signal aborts first
 */
export async function pause(ms: number, signal: AbortSignal, timers: Timers): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve, reject) => {
    const handle = timers.setTimeout(finish, ms);
    signal.addEventListener('abort', cancel, { once: true });
    function finish(): void {
      signal.removeEventListener('abort', cancel);
      resolve();
    }
    function cancel(): void {
      timers.clearTimeout(handle);
      reject(asAbortError(signal));
    }
  });
}
