import { vi } from 'vitest';

/** Any time limit of a test is shorter, in milliseconds. */
const LONG_MS = 60_000;

/** Runs what has a time limit, which is up once something is so, on a machine of any speed. */
export async function runUntil<T>(isUp: () => boolean, run: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const watching = setInterval(() => {
    if (!isUp()) return;
    clearInterval(watching);
    vi.advanceTimersByTime(LONG_MS);
    vi.useRealTimers();
  }, 10);
  try {
    return await run();
  } finally {
    clearInterval(watching);
    vi.useRealTimers();
  }
}
