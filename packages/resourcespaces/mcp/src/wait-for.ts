/** True if a signal was aborted because the time is up. */
export function isTimeout({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** Waits for work, unless a signal aborts first; in that case the work continues. */
export async function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
