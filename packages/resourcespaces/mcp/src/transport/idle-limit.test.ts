import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleLimit } from './message-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('ends what is not used for a time, and nothing that is used', async () => {
  let ends = 0;
  const limit = new IdleLimit(1000, () => ends++);
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const used = [limit.during(first.promise), limit.during(second.promise)];
  first.resolve(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(ends).toBe(0);
  second.resolve(2);
  expect(await Promise.all(used)).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(999);
  await limit.during(Promise.resolve());
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toBe(1);
  await expect(limit.during(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  await vi.advanceTimersByTimeAsync(1000);
  expect(ends).toBe(2);
});

it('ends nothing without a limit', async () => {
  let ends = 0;
  await new IdleLimit(undefined, () => ends++).during(Promise.resolve());
  await vi.advanceTimersByTimeAsync(1e9);
  expect(ends).toBe(0);
});
