import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const FILES = 10;
/** Starts a program in another network; a user may be refused that. */
const ELSEWHERE = ['unshare', '-rn'] as const;

interface Counter {
  readonly process: ChildProcessWithoutNullStreams;
  /** Edits that it was told were made. */
  readonly told: () => number;
}

interface CounterOptions {
  readonly seed: number;
  readonly edits: number;
  /** Program that starts it elsewhere. */
  readonly wrapper: readonly string[];
}

async function startCounter(folder: string, { seed, edits, wrapper }: CounterOptions): Promise<Counter> {
  const script = join(import.meta.dirname, 'processes/count-in-files.ts');
  const [program, ...args] = [...wrapper, process.execPath, script, folder, `${FILES}`, `${edits}`, `${seed}`];
  const child = spawn(program, args);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.pipe(process.stderr);
  while (!said.includes('ready')) await once(child.stdout, 'data');
  return { process: child, told: () => (said.match(/^f\d+\.txt$/gm) ?? []).length };
}

interface Counting {
  readonly processes: number;
  readonly killed: number;
  readonly edits: number;
  /** True to give every other process a network of its own. */
  readonly apart?: boolean;
}

/** As many as find a fault that is there, and what takes minutes. */
const FEW = { processes: 4, killed: 1, edits: 50 };
const MANY = { processes: 8, killed: 2, edits: 1250 };

async function countEdits(
  { processes, killed, edits, apart = false }: Counting,
  annotate: TestContext['annotate'],
): Promise<void> {
  const names = Array.from({ length: FILES }, (_, index) => `f${index}.txt`);
  const folder = scratchFolder(Object.fromEntries(names.map((name) => [name, 'above\ncount: 0\nbelow\n'])));
  const counters = await Promise.all(
    Array.from({ length: processes }, (_, seed) =>
      startCounter(folder, { seed, edits, wrapper: apart && seed % 2 === 1 ? ELSEWHERE : [] }),
    ),
  );
  const ended = counters.map(({ process }) => once(process, 'close'));
  for (const { process } of counters) process.stdin.on('error', () => undefined).end('go');
  for (const victim of counters.slice(0, killed)) {
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
  expect(counted).toBeLessThanOrEqual(told + killed);
}

const TITLE = 'that edit the same files lose no edit that was acknowledged, also when some are killed';
it(`four processes ${TITLE}`, ({ annotate }) => countEdits(FEW, annotate));
it(`eight processes ${TITLE}, with 10,000 edits`, { tags: ['long'] }, ({ annotate }) => countEdits(MANY, annotate));

describe.skipIf(spawnSync(ELSEWHERE[0], [...ELSEWHERE.slice(1), 'true']).status !== 0)('in two networks', () => {
  it(`four processes ${TITLE}`, ({ annotate }) => countEdits({ ...FEW, apart: true }, annotate));
  it(`eight processes ${TITLE}, with 10,000 edits`, { tags: ['long'] }, ({ annotate }) =>
    countEdits({ ...MANY, apart: true }, annotate),
  );
});
