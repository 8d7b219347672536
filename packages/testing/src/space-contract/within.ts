/**
 * Waits for work, but no longer than so many milliseconds.
 *
 * @param what the work as the subject of a sentence: `read(…)`
 * @throws Error when it takes longer
 */
export async function within<T>(work: T | Promise<T>, ms: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${ms / 1000} s.`)), ms);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
