import { describe, expect, it } from 'vitest';
import { anyMoment, KilledWriter } from './killed-writer.ts';
import { RandomSource } from './random-source.ts';
import { scratchFolder } from './scratch-folder.ts';

/** Kills of one database, before the next one is begun. */
const KILLS = 10;

/** Kills processes that write a session, in one database after the other. */
async function killMany(
  databases: number,
  random: RandomSource,
): Promise<{ faults: readonly string[]; steps: number }> {
  const compiled = scratchFolder();
  const faults = [...(await new KilledWriter(scratchFolder(), compiled).kill({ ms: 0 }, 'once'))];
  let steps = 0;
  for (let database = 0; database < databases; database++) {
    const writer = new KilledWriter(scratchFolder(), compiled);
    for (let kill = 0; kill < KILLS; kill++) faults.push(...(await writer.kill(anyMoment(random))));
    steps += writer.acknowledged;
  }
  return { faults, steps };
}

describe('a session whose process is killed at any time', () => {
  it.for([1, 2])('has everything that was acknowledged, after 1,000 kills (half %i)', async (half, { annotate }) => {
    const lanes = await Promise.all([2 * half, 2 * half + 1].map((seed) => killMany(25, new RandomSource(seed))));
    expect(lanes.flatMap(({ faults }) => faults)).toEqual([]);
    const steps = lanes.reduce((sum, lane) => sum + lane.steps, 0);
    expect(steps).toBeGreaterThan(1000);
    await annotate(`500 processes acknowledged ${steps} steps`);
  });

  it('lacks some of it when it is acknowledged too early', async () => {
    const writer = new KilledWriter(scratchFolder(), scratchFolder());
    const faults: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) faults.push(...(await writer.kill({ steps: 5, ms: 0 }, 'early')));
    expect(faults.filter((fault) => fault.includes('steps were acknowledged')).length).toBeGreaterThan(0);
  });
});
