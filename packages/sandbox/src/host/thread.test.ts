import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SpinWait } from './thread.ts';

/** True while something is to be done in the next turn of the event loop, so that it does not sleep. */
const turns = (): boolean => process.getActiveResourcesInfo().includes('Immediate');

it('keeps the event loop turning until it is ended', async () => {
  const spin = new SpinWait(60_000);
  spin.restart();
  await setTimeout(5);
  expect(turns()).toBe(true);
  spin.end();
  await setTimeout(5);
  expect(turns()).toBe(false);
});

it('ends by itself, and can be renewed', async () => {
  const spin = new SpinWait(1);
  for (const _ of [1, 2]) {
    spin.restart();
    expect(turns()).toBe(true);
    await setTimeout(20);
    expect(turns()).toBe(false);
  }
});

it('does nothing where there is no time for it', () => {
  new SpinWait(0).restart();
  expect(turns()).toBe(false);
});
