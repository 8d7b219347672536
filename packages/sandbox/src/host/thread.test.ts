import { afterEach, expect, it, vi } from 'vitest';
import { SpinWait } from './thread.ts';

afterEach(() => vi.useRealTimers());

/** True while something is to be done in the next turn of the event loop, so that it does not sleep. */
const turns = (): boolean => process.getActiveResourcesInfo().includes('Immediate');
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('keeps the event loop turning until it is ended', async () => {
  const spin = new SpinWait(60_000);
  spin.restart();
  await nextTurn();
  expect(turns()).toBe(true);
  spin.end();
  await nextTurn();
  expect(turns()).toBe(false);
});

it('ends by itself, and can be renewed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const spin = new SpinWait(1);
  for (const _ of [1, 2]) {
    spin.restart();
    await nextTurn();
    expect(turns()).toBe(true);
    vi.advanceTimersByTime(1);
    await nextTurn();
    expect(turns()).toBe(false);
  }
});

it('does nothing where there is no time for it', () => {
  new SpinWait(0).restart();
  expect(turns()).toBe(false);
});
