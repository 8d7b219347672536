import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from './block.ts';

describe('Deadline', () => {
  const over = vi.fn<() => void>();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    over.mockClear();
  });
  afterEach(() => vi.useRealTimers());

  it('is over after its time', () => {
    const deadline = new Deadline(100, over);
    vi.advanceTimersByTime(99);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledOnce();
    deadline.clear();
  });

  it('is never over once it is cleared', () => {
    new Deadline(100, over).clear();
    vi.advanceTimersByTime(1000);
    expect(over).not.toHaveBeenCalled();
  });

  it('is paused while the code waits for a person who is asked', async () => {
    const deadline = new Deadline(100, over);
    const answer = Promise.withResolvers<string>();
    vi.advanceTimersByTime(60);
    const asked = deadline.pauseDuring(() => answer.promise);
    deadline.isWaiting = true;
    vi.advanceTimersByTime(10_000);
    expect(over).not.toHaveBeenCalled();
    answer.resolve('yes');
    expect(await asked).toBe('yes');
    vi.advanceTimersByTime(39);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it('is not paused while the code is busy', () => {
    const deadline = new Deadline(100, over);
    void deadline.pauseDuring(() => new Promise(() => undefined));
    vi.advanceTimersByTime(100);
    expect(over).toHaveBeenCalledOnce();
  });

  it('is not paused for code that waits for no person', () => {
    const deadline = new Deadline(100, over);
    deadline.isWaiting = true;
    vi.advanceTimersByTime(100);
    expect(over).toHaveBeenCalledOnce();
  });

  it('is paused until the last person has replied, also when one refuses', async () => {
    const deadline = new Deadline(100, over);
    deadline.isWaiting = true;
    const [first, second] = [Promise.withResolvers<never>(), Promise.withResolvers<void>()];
    const asked = [deadline.pauseDuring(() => first.promise), deadline.pauseDuring(() => second.promise)];
    first.reject(new Error('no'));
    await expect(asked[0]).rejects.toThrow('no');
    vi.advanceTimersByTime(1000);
    expect(over).not.toHaveBeenCalled();
    second.resolve();
    await asked[1];
    vi.advanceTimersByTime(100);
    expect(over).toHaveBeenCalledOnce();
  });
});
