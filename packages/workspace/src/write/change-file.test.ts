import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { actIfUnchanged } from './change-file.ts';

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');
const LARGE = 'x'.repeat(2 * 1024 * 1024);

/** Whether something was done to a file that is expected to have a content. */
async function isDone(path: string, expected: string | null): Promise<boolean> {
  let acted = false;
  const hash = expected === null ? null : hashOf(expected);
  const done = await actIfUnchanged(path, hash, () => (acted = true));
  expect(acted).toBe(done);
  return done;
}

describe('an act on a file that is to be unchanged', () => {
  it.each([
    ['a small one', 'small'],
    ['a large one', LARGE],
  ])('is done when the content is the same, whatever its time and place: %s', async (_size, content) => {
    const file = join(temporaryFolder({ f: content }), 'f');
    expect(await isDone(file, content)).toBe(true);
    utimesSync(file, 1, 1);
    writeFileSync(`${file}.other`, content);
    renameSync(`${file}.other`, file);
    expect(await isDone(file, content)).toBe(true);
    expect(await isDone(file, `${content.slice(1)}y`)).toBe(false);
  });

  it('is done for what is not there, when nothing is to be there', async () => {
    const folder = temporaryFolder({ f: '' });
    expect(await isDone(join(folder, 'none'), null)).toBe(true);
    expect(await isDone(join(folder, 'f'), null)).toBe(false);
    expect(await isDone(join(folder, 'none'), 'x')).toBe(false);
  });

  it('is not done to a folder', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'd'));
    expect(await isDone(join(folder, 'd'), '')).toBe(false);
    expect(await isDone(join(folder, 'd'), null)).toBe(false);
  });

  it(
    'is not done when a large file changes while it is read, also where it was read already',
    { tags: ['long'] },
    async () => {
      const file = join(temporaryFolder(), 'f');
      for (let turns = 1; turns <= 30; turns++) {
        writeFileSync(file, LARGE);
        utimesSync(file, 1, 1);
        let acted = false;
        const pending = actIfUnchanged(file, hashOf(LARGE), () => (acted = true));
        for (let turn = turns; turn > 0; turn--) await new Promise(setImmediate);
        const isLate = acted;
        writeFileSync(file, `y${LARGE.slice(1)}`);
        expect(await pending, `after ${turns} turns`).toBe(isLate);
      }
    },
  );
});

describe('a write that expects something', () => {
  it('replaces exactly that', async () => {
    const folder = temporaryFolder({ f: 'old' });
    const workspace = new WorkspaceRoot(folder);
    await workspace.write('f', 'new', { expected: hashOf('old') });
    expect(await describeOutcome(() => workspace.write('f', 'newer', { expected: hashOf('old') }))).toBe(
      'ConflictError: f was changed by someone else at the same moment. It was left unchanged.\nTry: <R:f>',
    );
    expect(await describeOutcome(() => workspace.write('f', 'newer', { expected: null }))).toContain('ConflictError');
    expect(await describeOutcome(() => workspace.remove('f', { expected: hashOf('old') }))).toContain('ConflictError');
    expect((await workspace.readText('f')).text).toBe('new');
  });

  it('creates only what is not there, and takes its folders away again', async () => {
    const folder = temporaryFolder();
    const workspace = new WorkspaceRoot(folder);
    expect(await describeOutcome(() => workspace.write('d/e/f', 'x', { expected: hashOf('x') }))).toContain(
      'ConflictError',
    );
    expect(existsSync(join(folder, 'd'))).toBe(false);
    await workspace.write('d/e/f', 'x', { expected: null });
    expect((await workspace.readText('d/e/f')).text).toBe('x');
  });

  it('that expects nothing takes whatever is there by then', async () => {
    const folder = temporaryFolder({ f: '0' });
    const workspace = new WorkspaceRoot(folder);
    for (let round = 1; round <= 20; round++) {
      const writing = workspace.write('f', `ours ${round}`);
      for (let turns = round; turns > 0; turns--) await new Promise(setImmediate);
      writeFileSync(join(folder, 'f'), `theirs ${round}`);
      await writing;
    }
    const { undone, problem } = await workspace.undo({ steps: 100 });
    // Theirs came last in the last round or in some round before: what it wrote is never taken back.
    expect(undone.length === 20 || problem?.name === 'ConflictError').toBe(true);
  });
});
