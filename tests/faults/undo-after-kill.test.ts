import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WorkspaceRoot } from '@bae/workspace';
import { expect, it } from 'vitest';
import { plantTree, treeOf } from './file-tree.ts';
import { RandomSource } from './random-source.ts';
import { scratchFolder } from './scratch-folder.ts';

/** Processes that are killed, and how many live at a time. */
const KILLS = Number(process.env['BAE_KILLS'] ?? 150);
const AT_ONCE = 3;
/** How many operations a process makes before it is killed at any moment of the next. */
const MOST_OPERATIONS = 8;
const LONGEST_WAIT_MS = 6;
/** Of so many, one is undone by a process that is killed too. */
const KILLED_UNDO = 4;

/** Lets a process change files until it is killed; returns how many of its operations another one undid. */
async function killAndUndo(seed: number): Promise<number> {
  const folder = scratchFolder();
  plantTree(folder);
  const before = treeOf(folder);
  const random = new RandomSource(seed * 104_729);
  const points = 1 + random.below(MOST_OPERATIONS);
  await runUntilKilled([folder, String(seed)], { points, ms: random.below(LONGEST_WAIT_MS) });
  if (seed % KILLED_UNDO === 0)
    await runUntilKilled([folder, '0', 'undo'], { points: 1, ms: random.below(LONGEST_WAIT_MS) });
  const root = new WorkspaceRoot(folder, { journal: 'disk' });
  const { undone, problem } = await root.undo({ steps: 1000 });
  expect(problem, `seed ${seed}`).toBeUndefined();
  expect(treeOf(folder), `seed ${seed}`).toEqual(before);
  return undone.length;
}

/** When a process is killed: so long after it has printed so many points. */
interface Death {
  readonly points: number;
  readonly ms: number;
}

async function runUntilKilled(details: readonly string[], { points, ms }: Death): Promise<void> {
  const script = join(import.meta.dirname, 'processes/operate-until-killed.ts');
  const child = spawn(process.execPath, [script, ...details], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = 0;
  while (printed < points) printed += ((await once(child.stdout, 'data')) as [Buffer])[0].length;
  await wait(ms);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}

it('what a killed process did is undone by another, to the same tree', async () => {
  let undone = 0;
  let seed = 0;
  const worker = async (): Promise<void> => {
    while (seed < KILLS) undone += await killAndUndo(++seed);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(undone).toBeGreaterThan(KILLS / 2);
});
