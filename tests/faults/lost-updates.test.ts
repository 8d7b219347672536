import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openFiles, type OpenFiles } from './open-files.ts';
import { RandomSource } from './random-source.ts';
import { scratchFolder } from './scratch-folder.ts';

const LONGEST_DELAY = 60;
const BASE = Array.from({ length: 8 }, (_, line) => `line ${line + 1}\n`).join('');

/** What someone else does to the file. Those of the second kind leave its content what it was. */
const CHANGES: readonly ((file: string) => void)[] = [
  (file) => writeFileSync(file, `${readFileSync(file, 'utf8')}theirs\n`),
  (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('line 8', 'theirs')),
  (file) => replaceBy(file, `theirs\n${readFileSync(file, 'utf8')}`),
];
const TOUCHES: readonly ((file: string) => void)[] = [
  (file) => writeFileSync(file, readFileSync(file)),
  (file) => replaceBy(file, readFileSync(file, 'utf8')),
  (file) => utimesSync(file, new Date(), new Date()),
];

function replaceBy(file: string, content: string): void {
  writeFileSync(`${file}.other`, content);
  renameSync(`${file}.other`, file);
}

/** The three ways to change a file that was read; returns the answer, or what it is refused with. */
async function change(files: OpenFiles, way: number): Promise<string> {
  const answer = [
    () => files.call('edit', { target: 'f', content: 'ours' }, [3, 4]),
    () => files.call('edit', { target: 'f', old: 'line 3\n', new: 'ours\n' }),
    () => files.call('write', { target: 'f', content: BASE.replace('line 3', 'ours') }),
  ][way]!();
  return answer.then(
    ({ text }) => text,
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

async function interleave(times: number): Promise<void> {
  const faults: string[] = [];
  let [refused, made] = [0, 0];
  for (let seed = 1; seed <= times; seed++) {
    const random = new RandomSource(seed * 15_485_863);
    const folder = scratchFolder({ f: BASE });
    const files = openFiles(folder);
    await files.call('read', { target: 'f' });
    const way = random.below(3);
    const changes = random.below(2) === 0;
    const act = random.pick(changes ? CHANGES : TOUCHES);
    const somebody = async () => {
      for (let turns = random.below(LONGEST_DELAY); turns > 0; turns--) await nextTurn();
      act(join(folder, 'f'));
    };
    const [answer] = await Promise.all([change(files, way), somebody()]);
    const content = readFileSync(join(folder, 'f'), 'utf8');
    const isRefused = answer.startsWith('ConflictError: f changed since you read it');
    if (isRefused) refused++;
    else made++;
    if (changes && !content.includes('theirs')) faults.push(`${seed}: theirs is lost`);
    if (!isRefused && !content.includes('ours')) faults.push(`${seed}: ours is lost: ${answer}`);
    if (isRefused && !changes) faults.push(`${seed}: refused although nothing changed`);
  }
  expect(faults).toEqual([]);
  // Both must have happened often, or nothing was shown.
  expect(Math.min(refused, made)).toBeGreaterThan(times / 20);
}

it('nobody loses a change, and nobody is refused when nothing changed', () => interleave(150));
it('nobody loses a change, and nobody is refused when nothing changed, 1,000 times', { tags: ['long'] }, () =>
  interleave(1000),
);
