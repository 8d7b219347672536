import { TimeoutError } from '@bae/core';

/** Most milliseconds that an expression may keep an engine busy, so that the answer is there within two seconds. */
const LIMIT_MS = 1500;

/** True when an engine may have hard work with an expression; text without repetition is easy for every engine. */
export function isHardWork(pattern: string): boolean {
  return /[*+?{]/.test(pattern);
}

/**
 * Stops a search when it takes too long.
 *
 * @param signal of the caller; the search gets one that also says when the time is up
 * @throws TimeoutError when it was stopped; the signal's reason when the caller did
 */
export async function withinLimit<T>(
  signal: AbortSignal | undefined,
  search: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    return await search(signal === undefined ? limit : AbortSignal.any([limit, signal]));
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true) throw error;
    const message = `grep exceeded ${LIMIT_MS / 1000}s. Narrow the path, or search for a plainer pattern.`;
    throw new TimeoutError(message, ['<Grep:TODO>'], error);
  }
}
