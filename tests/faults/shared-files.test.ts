import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const PROCESSES = 8;
const FILES = 10;
const KILLED = 2;

interface Counter {
  readonly process: ChildProcessWithoutNullStreams;
  /** Edits that it was told were made. */
  readonly told: () => number;
}

async function startCounter(folder: string, seed: number, edits: number): Promise<Counter> {
  const script = join(import.meta.dirname, 'processes/count-in-files.ts');
  const child = spawn(process.execPath, [script, folder, `${FILES}`, `${edits}`, `${seed}`]);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.pipe(process.stderr);
  while (!said.includes('ready')) await once(child.stdout, 'data');
  return { process: child, told: () => (said.match(/^f\d+\.txt$/gm) ?? []).length };
}

async function countEdits(edits: number, annotate: TestContext['annotate']): Promise<void> {
  const names = Array.from({ length: FILES }, (_, index) => `f${index}.txt`);
  const folder = scratchFolder(Object.fromEntries(names.map((name) => [name, 'above\ncount: 0\nbelow\n'])));
  const counters = await Promise.all(Array.from({ length: PROCESSES }, (_, seed) => startCounter(folder, seed, edits)));
  const ended = counters.map(({ process }) => once(process, 'close'));
  for (const { process } of counters) process.stdin.on('error', () => undefined).end('go');
  for (const victim of counters.slice(0, KILLED)) {
    while (victim.told() < edits / 10) await once(victim.process.stdout, 'data');
    victim.process.kill('SIGKILL');
  }
  await Promise.all(ended);
  const told = counters.reduce((sum, { told }) => sum + told(), 0);
  const counted = names.reduce((sum, name) => {
    const [, count] = /^above\ncount: (\d+)\nbelow\n$/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    return sum + Number(count);
  }, 0);
  await annotate(`${told} edits acknowledged, ${counted} counted`);
  // One that was made may not have been told of when its process was killed.
  expect(counted).toBeGreaterThanOrEqual(told);
  expect(counted).toBeLessThanOrEqual(told + KILLED);
}

const TITLE = 'that edit the same files lose no edit that was acknowledged, also when some are killed';
it(`eight processes ${TITLE}`, ({ annotate }) => countEdits(100, annotate));
it(`eight processes ${TITLE}, with 10,000 edits`, { tags: ['long'] }, ({ annotate }) => countEdits(1250, annotate));
