import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { endProcesses, journalFiles, journalsIn, logIn, tear, withoutLastEnd } from '../../test/journal-on-disk.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { identifyProcess, isAlive, MOST_JOURNALS } from './disk-store.ts';
import { describeUnproven } from './undo-changes.ts';
import { openJournal } from './journaled-files.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import { RootFolder } from '../path/root-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const onDisk = (folder: string) => new WorkspaceRoot(folder, { journal: 'disk' });

/** A workspace in which a process was killed right after, or right before, it changed a file. */
async function interrupted(path: string, old: string | undefined, { happened }: { happened: boolean }) {
  const folder = temporaryFolder(old === undefined ? {} : { [path]: old });
  await onDisk(folder).write(path, 'new\n');
  if (!happened && old !== undefined) writeFileSync(join(folder, path), old);
  if (!happened && old === undefined) rmSync(join(folder, path));
  endProcesses(folder, withoutLastEnd);
  return folder;
}

describe('a journal on disk', () => {
  it('of someone else stops no change, however many records it has', { tags: ['long'] }, async () => {
    const forgotten = Array.from({ length: 200_000 }, (_, n) => `{"type":"forgotten","number":${n + 1}}`);
    const head = '{"type":"journal","pid":1,"birth":"1","host":"elsewhere"}';
    const folder = temporaryFolder({
      '.bae/journal/20260101T000000000Z-aaaaaaaa/log.jsonl': `${[head, ...forgotten].join('\n')}\n`,
    });
    await onDisk(folder).write('a.txt', '1\n');
    expect((await onDisk(folder).undo()).undone).toHaveLength(1);
  });

  it('lets another process undo', async () => {
    const folder = temporaryFolder({ 'a.txt': '1\n' });
    await onDisk(folder).write('a.txt', '2\n2\n', { session: 's1', action: 'edit' });
    const [operation] = await onDisk(folder).operations();
    expect(operation).toMatchObject({
      session: 's1',
      action: 'edit',
      path: 'a.txt',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      before: { size: 2, lines: 1 },
      after: { size: 4, lines: 2 },
    });
    expect((await onDisk(folder).undo()).undone).toHaveLength(1);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1\n');
    expect((await onDisk(folder).undo()).undone).toEqual([]);
  });

  it('forgets a text in old contents and in the names of files, and can undo the rest', async () => {
    const folder = temporaryFolder({ a: 'Hunter2\n', b: '1\n' });
    const writer = onDisk(folder);
    await writer.write('b', '2\n');
    await writer.write('a', 'x\n');
    await writer.write('hunter2.txt', 'x\n');
    const raw = () =>
      journalFiles(folder)
        .map((name) => readFileSync(join(logIn(folder), '..', name), 'latin1'))
        .join('');
    expect(raw()).toMatch(/hunter2/i);
    expect(await onDisk(folder).forgetText((content) => /hunter2/i.test(content))).toBe(1);
    expect(raw()).not.toMatch(/hunter2/i);
    const { undone, problem } = await onDisk(folder).undo({ steps: 3 });
    expect(undone).toEqual([]);
    expect(problem?.message).toMatch(/^the write of a cannot be undone: /);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('x\n');
    await writer.write('b', '3\n');
    expect((await onDisk(folder).undo()).undone).toHaveLength(1);
  });

  it('forgets all of a change of several files, so that no undo reverts half a move', async () => {
    const folder = temporaryFolder({ 'hunter2.md': 'precious\n', b: '1\n' });
    const writer = onDisk(folder);
    await writer.write('b', '2\n');
    await (await writer.planMoves([[writer.open('hunter2.md'), writer.open('notes.md')]])).apply();
    expect(await onDisk(folder).forgetText((text) => text.includes('hunter2'))).toBe(1);
    expect(journalFiles(folder)).toEqual(['1.before', 'log.jsonl']);
    expect((await onDisk(folder).operations()).map(({ path }) => path)).toEqual(['b']);
    expect((await onDisk(folder).undo({ steps: 2 })).undone.map(({ path }) => path)).toEqual(['b']);
    expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('precious\n');
  });

  it('undoes what the session did that was last at work, or the one that is named', async () => {
    const folder = temporaryFolder({ a: '1', b: '1' });
    const first = onDisk(folder);
    await first.write('a', '2', { session: 'one' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await onDisk(folder).write('b', '2', { session: 'two' });
    const later = onDisk(folder);
    expect((await later.undo({ steps: 9 })).undone.map(({ path }) => path)).toEqual(['b']);
    expect((await later.undo({ steps: 9, session: 'one' })).undone.map(({ path }) => path)).toEqual(['a']);
    // The first process learns of it.
    expect((await first.undo({ session: 'one' })).undone).toEqual([]);
  });

  it('is written before the file is', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    writeFileSync(join(folder, '.bae'), 'in the way');
    expect(await describeOutcome(() => onDisk(folder).write('a.txt', '2'))).toContain('a part of the path is a file');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1');
  });

  it('is private, is no part of the repository, and is not come across', async () => {
    const folder = temporaryFolder({ 'a.txt': 'needle' });
    const workspace = onDisk(folder);
    await workspace.write('a.txt', 'needle 2');
    expect(journalFiles(folder)).toEqual(['1.before', 'log.jsonl']);
    for (const name of journalFiles(folder)) {
      expect(statSync(join(folder, '.bae/journal', journalsIn(folder)[0]!, name)).mode & 0o077).toBe(0);
    }
    expect(readFileSync(join(folder, '.bae/.gitignore'), 'utf8')).toBe('*\n');
    expect(await workspace.glob({ pattern: '**', all: true })).toEqual(['a.txt']);
    expect((await workspace.grep({ pattern: 'needle', all: true })).rows.map(({ path }) => path)).toEqual(['a.txt']);
    expect(await workspace.list('.')).toEqual(['a.txt']);
    expect(await workspace.list('.bae')).toEqual(['.gitignore', 'journal/']);
    expect(await describeOutcome(() => workspace.write('.bae/journal/x', ''))).toContain('ProtectedFileError');
  });

  it('is not written through a link that leads out', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    const outside = temporaryFolder();
    symlinkSync(outside, join(folder, '.bae'));
    expect(await describeOutcome(() => onDisk(folder).write('a.txt', '2'))).toContain('PathError');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('goes on when it was removed meanwhile', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    const workspace = onDisk(folder);
    await workspace.write('a.txt', '2');
    rmSync(join(folder, '.bae'), { recursive: true });
    await workspace.write('a.txt', '3');
    const { undone, problem } = await workspace.undo({ steps: 2 });
    expect(undone).toHaveLength(1);
    expect(problem?.message).toBe(
      'the write of a.txt cannot be undone: its old content is not in the journal any more. Read it, and change it by an edit.',
    );
  });
});

describe('a signed journal', () => {
  const signedBy = (folder: string, number: number) =>
    new WorkspaceRoot(folder, { journal: 'disk', journalKey: () => Buffer.alloc(32, number) });

  it('is undone by another process of the same user', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    await signedBy(folder, 1).write('a.txt', '2');
    endProcesses(folder);
    const later = signedBy(folder, 1);
    // The record of the process was changed, and does not count: nothing shows that it still runs.
    expect((await later.undo()).undone).toHaveLength(1);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1');
    expect(await later.unprovenOperations()).toEqual([]);
  });

  it.each([
    ['of somebody else', (folder: string) => signedBy(folder, 2)],
    ['without proof', onDisk],
  ])('%s is not undone, settles nothing, and stays', async (_, open) => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    await open(folder).write('a.txt', 'planted', { session: 's1' });
    mkdirSync(join(folder, 'empty'));
    endProcesses(folder, (log) => withoutLastEnd(log).replace('"folders":[]', '"folders":["empty"]'));
    writeFileSync(join(folder, 'a.txt'), '1');
    const before = readFileSync(logIn(folder), 'utf8');
    const mine = signedBy(folder, 1);
    expect(await mine.operations()).toEqual([]);
    expect((await mine.undo({ session: 's1' })).undone).toEqual([]);
    expect(existsSync(join(folder, 'empty'))).toBe(true);
    const [unproven, ...more] = await mine.unprovenOperations();
    expect(more).toEqual([]);
    expect(unproven).toMatchObject({ path: 'a.txt', id: `${journalsIn(folder)[0]!}/1` });
    expect(describeUnproven([unproven!])).toBe(
      `1 change in .bae/journal is not undone, because nothing proves that this user made it here. The old content stays in ${journalsIn(folder)[0]!}.`,
    );
    expect(readFileSync(logIn(folder), 'utf8')).toBe(before);
  });

  it('is not removed to make room for later ones when it is of somebody else', { tags: ['long'] }, async () => {
    const folder = temporaryFolder();
    await signedBy(folder, 2).write('theirs', '');
    endProcesses(folder);
    const [theirs] = journalsIn(folder);
    for (let index = 0; index < MOST_JOURNALS + 3; index++) await signedBy(folder, 1).write(`f${index}`, '');
    endProcesses(folder);
    await signedBy(folder, 1).write('last', '');
    expect(journalsIn(folder)).toContain(theirs);
    expect(journalsIn(folder)).toHaveLength(MOST_JOURNALS + 2);
  });

  it('asks for the key when it is needed, and once', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    let count = 0;
    const journalKey = () => Buffer.alloc(32, ++count);
    const workspace = new WorkspaceRoot(folder, { journal: 'disk', journalKey });
    await workspace.readText('a.txt');
    expect(count).toBe(0);
    await workspace.write('a.txt', '2');
    await workspace.write('b.txt', '2');
    expect(count).toBe(1);
  });
});

describe('a journal that is not whole', () => {
  it('is read up to where it was torn, and written on after it', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    const workspace = onDisk(folder);
    await workspace.write('a.txt', '2');
    tear(folder);
    await workspace.write('a.txt', '3');
    endProcesses(folder);
    expect((await onDisk(folder).undo({ steps: 9 })).undone).toHaveLength(2);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1');
  });

  it('is no journal of other things', async () => {
    const folder = temporaryFolder({ 'a.txt': '1', '.git/hooks/x': '1', 'b.txt': 'now' });
    const workspace = onDisk(folder);
    await workspace.write('a.txt', '2');
    const redirect = (path: string) => endProcesses(folder, (log) => log.replace(/"path":"[^"]*"/, `"path":"${path}"`));
    redirect('../outside');
    expect((await onDisk(folder).undo()).problem?.name).toBe('PathError');
    redirect('.git/hooks/x');
    expect((await onDisk(folder).undo()).problem?.name).toBe('ProtectedFileError');
    redirect('b.txt');
    expect((await onDisk(folder).undo()).problem?.name).toBe('ConflictError');
    endProcesses(folder, () => '[]\nnull\n{"type":"start","operation":{"id":7}}\n\u0000');
    expect((await onDisk(folder).undo()).undone).toEqual([]);
  });

  it('does not restore content that was changed in it', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    await onDisk(folder).write('a.txt', '2');
    writeFileSync(join(logIn(folder), '../1.before'), 'forged');
    expect((await onDisk(folder).undo()).problem?.message).toContain('is not in the journal any more');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('2');
  });
});

describe('an operation that was interrupted', () => {
  it.each([['1\n'], [undefined]])('is undone when it happened (before: %j)', async (old) => {
    const folder = await interrupted('d/a.txt', old, { happened: true });
    expect((await onDisk(folder).undo()).undone).toHaveLength(1);
    expect(existsSync(join(folder, 'd/a.txt')) ? readFileSync(join(folder, 'd/a.txt'), 'utf8') : undefined).toBe(old);
  });

  it.each([['1\n'], [undefined]])('is forgotten when it did not (before: %j)', async (old) => {
    const folder = await interrupted('d/a.txt', old, { happened: false });
    expect((await onDisk(folder).undo()).undone).toEqual([]);
    expect(existsSync(join(folder, 'd'))).toBe(old !== undefined);
  });

  it.each([true, false])('leaves no temporary file behind (happened: %s)', async (happened) => {
    const folder = await interrupted('d/a.txt', undefined, { happened });
    const leftover = join(folder, 'd/.bae-999999999-0123456789abcdef.tmp');
    writeFileSync(leftover, 'half of it');
    await onDisk(folder).undo();
    expect(existsSync(join(folder, 'd'))).toBe(false);
  });

  it('may have been an undo, which is finished by asking again', async () => {
    const folder = temporaryFolder();
    await onDisk(folder).write('d/a.txt', 'new');
    endProcesses(folder);
    // The file was removed already; of another file that was to be restored there is only a part.
    rmSync(join(folder, 'd/a.txt'));
    writeFileSync(join(folder, 'd/.bae-999999999-0123456789abcdef.tmp'), 'half of it');
    expect((await onDisk(folder).undo()).undone).toHaveLength(1);
    expect(existsSync(join(folder, 'd'))).toBe(false);
    expect((await onDisk(folder).undo()).undone).toEqual([]);
  });

  it('is settled before the next process changes anything', async () => {
    const folder = await interrupted('a.txt', undefined, { happened: false });
    // The same content, by someone else: it must not be taken for the work of the one that was killed.
    await onDisk(folder).write('a.txt', 'new\n', { session: 'next' });
    expect((await onDisk(folder).operations()).map(({ session }) => session)).toEqual(['next']);
  });

  it('is left alone while its process lives', async () => {
    const folder = temporaryFolder({ 'a.txt': '1' });
    await onDisk(folder).write('d/a.txt', '2');
    rmSync(join(folder, 'd/a.txt'));
    writeFileSync(logIn(folder), withoutLastEnd(readFileSync(logIn(folder), 'utf8')));
    expect((await onDisk(folder).undo()).undone).toEqual([]);
    expect(existsSync(join(folder, 'd'))).toBe(true);
  });
});

describe('the bounds of a journal', () => {
  const bounded = (folder: string, operations: number, bytes: number) => {
    const root = new RootFolder(folder);
    const { files, undo } = openJournal(root, { kind: 'disk', bounds: { operations, bytes, kept: bytes } });
    const write = async (path: string, text: string, group?: string) => {
      const file = { path, resolve: () => resolveBelowRoot(path, root) };
      return (await files.apply([{ file, content: Buffer.from(text) }], { group }))[0];
    };
    return { write, undo };
  };

  it('let the oldest operations go', async () => {
    const folder = temporaryFolder({ a: '0' });
    const { write, undo } = bounded(folder, 3, 1000);
    for (const text of ['1', '2', '3', '4', '5']) await write('a', text);
    expect(journalFiles(folder)).toEqual(['3.before', '4.before', '5.before', 'log.jsonl']);
    expect((await undo.undo({ steps: 9 })).undone).toHaveLength(3);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('2');
  });

  it('never forget a part of what was changed together', async () => {
    const folder = temporaryFolder();
    const { write, undo } = bounded(folder, 3, 1000);
    const writeAll = async (names: string, group: string) => {
      for (const name of names) await write(name, group, group);
    };
    await writeAll('abcde', 'one');
    expect((await undo.undo({})).undone).toHaveLength(5);
    await writeAll('fg', 'two');
    await writeAll('hi', 'three');
    expect((await undo.operations()).map(({ path }) => path)).toEqual(['i', 'h']);
    expect((await undo.undo({ steps: 9 })).undone).toHaveLength(2);
    expect(existsSync(join(folder, 'f'))).toBe(true);
  });

  it('do the same for changes that were made at the same time', async () => {
    const { write, undo } = bounded(temporaryFolder(), 4, 1000);
    for (const [index, group] of ['x', 'y', 'x', 'y', 'z'].entries()) await write(`f${index}`, '', group);
    expect((await undo.operations()).map(({ path }) => path)).toEqual(['f4']);
  });

  it('are of content too, and what is larger than all of it cannot be undone', async () => {
    const folder = temporaryFolder({ a: 'x'.repeat(60), big: 'x'.repeat(101) });
    const { write, undo } = bounded(folder, 100, 100);
    expect(await write('a', 'y'.repeat(60))).toMatchObject({ undoable: true });
    await write('a', 'z');
    expect(journalFiles(folder)).toEqual(['2.before', 'log.jsonl']);
    expect(await write('big', 'small')).toMatchObject({ undoable: false });
    expect((await undo.undo({})).problem?.message).toBe(
      'the write of big cannot be undone: its old content (101 bytes) was too large. Read it, and change it by an edit.',
    );
    expect(readFileSync(join(folder, 'big'), 'utf8')).toBe('small');
  });

  it('keep the log short, and its records', async () => {
    const folder = temporaryFolder({ a: '0' });
    const { write, undo } = bounded(folder, 2, 1000);
    for (let text = 1; text <= 40; text++) await write('a', String(text));
    expect(readFileSync(logIn(folder), 'utf8').trim().split('\n').length).toBeLessThan(20);
    endProcesses(folder);
    expect((await undo.undo({ steps: 9 })).undone).toHaveLength(2);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('38');
  });

  it('are of processes too: journals of those that are over go, others stay', { tags: ['long'] }, async () => {
    const folder = temporaryFolder();
    for (let index = 0; index < MOST_JOURNALS + 3; index++) await onDisk(folder).write(`f${index}`, '');
    expect(journalsIn(folder)).toHaveLength(MOST_JOURNALS + 3);
    endProcesses(folder);
    await onDisk(folder).write('last', '');
    expect(journalsIn(folder)).toHaveLength(MOST_JOURNALS + 1);
    expect((await onDisk(folder).operations()).at(-1)?.path).toBe('f3');
  });
});

describe('the process that writes a journal', () => {
  it('lives while it does', () => {
    expect(isAlive(identifyProcess(), 0)).toBe(true);
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isAlive({ ...identifyProcess(), pid }, Date.now())).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is not another one that was given its number', () => {
    expect(isAlive({ ...identifyProcess(), birth: '1' }, Date.now())).toBe(false);
  });

  it('may live on another machine for a while', () => {
    const elsewhere = { ...identifyProcess(), host: 'elsewhere.invalid', pid: 1 };
    expect(isAlive(elsewhere, Date.now() - 1000)).toBe(true);
    expect(isAlive(elsewhere, Date.now() - 3_600_000)).toBe(false);
  });
});
