import { describe, expect, it } from 'vitest';
import { TimeLimit } from './time-limit.ts';

/** Timers that only count. */
class CountedTimers {
  readonly pending = new Set<number>();
  started = 0;

  setTimeout = (): number => {
    this.pending.add(++this.started);
    return this.started;
  };

  clearTimeout = (handle: unknown): void => void this.pending.delete(handle as number);
}

describe('TimeLimit', () => {
  it('begins anew only when every wait is over', async () => {
    const timers = new CountedTimers();
    const limit = new TimeLimit(timers, 5, () => undefined);
    const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const waits = [limit.without(() => first.promise), limit.without(() => second.promise)];
    first.resolve(undefined);
    await waits[0];
    expect(timers.pending.size).toBe(0);
    second.resolve(undefined);
    await waits[1];
    expect([...timers.pending]).toEqual([2]);
  });

  it('passes on what the work throws, and begins anew then too', async () => {
    const timers = new CountedTimers();
    const limit = new TimeLimit(timers, 5, () => undefined);
    await expect(limit.without(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(timers.pending.size).toBe(1);
  });

  it('never begins anew once it has ended', async () => {
    const timers = new CountedTimers();
    const limit = new TimeLimit(timers, 5, () => undefined);
    const wait = Promise.withResolvers<undefined>();
    const waited = limit.without(() => wait.promise);
    limit.end();
    wait.resolve(undefined);
    await waited;
    expect(timers.pending.size).toBe(0);
  });
});
