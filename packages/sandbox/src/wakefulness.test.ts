import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Wakefulness } from './wakefulness.ts';

/** True while something is to be done in the next turn of the event loop, so that it does not sleep. */
const turns = (): boolean => process.getActiveResourcesInfo().includes('Immediate');

it('keeps the event loop turning until it is ended', async () => {
  const wakefulness = new Wakefulness(60_000);
  wakefulness.renew();
  await setTimeout(5);
  expect(turns()).toBe(true);
  wakefulness.end();
  await setTimeout(5);
  expect(turns()).toBe(false);
});

it('ends by itself, and can be renewed', async () => {
  const wakefulness = new Wakefulness(1);
  for (const _ of [1, 2]) {
    wakefulness.renew();
    expect(turns()).toBe(true);
    await setTimeout(20);
    expect(turns()).toBe(false);
  }
});

it('does nothing where there is no time for it', () => {
  new Wakefulness(0).renew();
  expect(turns()).toBe(false);
});
