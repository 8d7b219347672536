import type { Timers } from '../protocol/host.ts';
import { asAbortError, throwIfAborted } from './interruption.ts';

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
