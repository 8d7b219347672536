import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watch } from './watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const looks = (count: number) => vi.advanceTimersByTimeAsync(count * 200);

describe('watch', () => {
  it('acts once what has changed stays the same', async () => {
    let text = 'a';
    const act = vi.fn<() => Promise<void>>(async () => undefined);
    const stop = watch(() => text, act);
    await looks(3);
    text = 'b';
    await looks(1);
    text = 'bc';
    await looks(1);
    expect(act).toHaveBeenCalledTimes(0);
    await looks(5);
    expect(act).toHaveBeenCalledTimes(1);
    stop();
  });

  it('does not act for what is again as it was', async () => {
    let text = 'a';
    const act = vi.fn<() => Promise<void>>(async () => undefined);
    const stop = watch(() => text, act);
    text = 'b';
    await looks(1);
    text = 'a';
    await looks(3);
    expect(act).not.toHaveBeenCalled();
    stop();
  });

  it('acts again for a change that came while it was at work, after that', async () => {
    let text = 'a';
    let finish = () => {};
    const act = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
    const stop = watch(() => text, act);
    text = 'b';
    await looks(3);
    text = 'c';
    await looks(5);
    expect(act).toHaveBeenCalledTimes(1);
    finish();
    await looks(3);
    expect(act).toHaveBeenCalledTimes(2);
    stop();
  });

  it('looks no more when it is stopped', async () => {
    const look = vi.fn<() => string>(() => 'a');
    watch(look, async () => undefined)();
    await looks(5);
    expect(look).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
