import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { resolveGivenPath } from '../path/resolve-path.ts';
import { RootFolder } from '../path/root-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { createTemporaryName, writeFileAtomically } from './write-atomically.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe('writing', () => {
  it('creates the folders above', async () => {
    const folder = temporaryFolder();
    await new WorkspaceRoot(folder).write('a/b/c.txt', 'ä\n');
    expect(readFileSync(join(folder, 'a/b/c.txt'), 'utf8')).toBe('ä\n');
  });

  it('returns the digest of what is there afterwards', async () => {
    const workspace = new WorkspaceRoot(temporaryFolder());
    const digest = await workspace.write('a.txt', 'one\ntwo');
    expect(digest).toEqual({ ...(await workspace.digest('a.txt')), undoable: true });
    expect(digest).toMatchObject({ size: 7, lines: 2 });
  });

  it.each([0o600, 0o644, 0o755, 0o640, 0o4755, 0o200])('keeps mode %o', async (mode) => {
    const folder = temporaryFolder({ run: 'old' });
    chmodSync(join(folder, 'run'), mode);
    await new WorkspaceRoot(folder).write('run', 'new');
    expect(modeOf(join(folder, 'run'))).toBe(mode);
  });

  it('gives a new file the mode that the process gives', async () => {
    const folder = temporaryFolder();
    const before = process.umask();
    await new WorkspaceRoot(folder).write('new', '');
    expect(modeOf(join(folder, 'new'))).toBe(0o666 & ~before);
  });

  it('refuses a read-only file, also for a user who may write everything', async () => {
    const folder = temporaryFolder({ 'a.txt': 'old' });
    chmodSync(join(folder, 'a.txt'), 0o444);
    expect(await describeOutcome(() => new WorkspaceRoot(folder).write('a.txt', 'new'))).toBe(
      'FileError: a.txt is read-only.\nTry: <R:a.txt>',
    );
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old');
  });

  it('replaces a read-only file with `force`, and leaves it read-only', async () => {
    const folder = temporaryFolder({ 'a.txt': 'old' });
    chmodSync(join(folder, 'a.txt'), 0o444);
    await new WorkspaceRoot(folder).write('a.txt', 'new', { force: true });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new');
    expect(modeOf(join(folder, 'a.txt'))).toBe(0o444);
  });

  it.runIf(process.getuid?.() === 0)('leaves a file to its owner', async () => {
    const folder = temporaryFolder({ 'a.txt': 'old' });
    chownSync(join(folder, 'a.txt'), 12_345, 23_456);
    chmodSync(join(folder, 'a.txt'), 0o4750);
    await new WorkspaceRoot(folder).write('a.txt', 'new');
    expect(statSync(join(folder, 'a.txt'))).toMatchObject({ uid: 12_345, gid: 23_456 });
    expect(modeOf(join(folder, 'a.txt'))).toBe(0o4750);
  });

  it('refuses half of a character, which a file cannot have', async () => {
    const folder = temporaryFolder({ 'a.txt': 'old' });
    expect(await describeOutcome(() => new WorkspaceRoot(folder).write('a.txt', 'x\ud83dx'))).toBe(
      'FileError: a.txt is not written: the new text has half of a character in it. Send whole characters.\nTry: <R:a.txt>',
    );
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old');
  });

  it('reports that a folder above is a file, and leaves it alone', async () => {
    const folder = temporaryFolder({ file: 'old' });
    expect(await describeOutcome(() => new WorkspaceRoot(folder).write('file/new/a.txt', 'x'))).toContain('FileError: file/new/a.txt: ');
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old');
  }); // prettier-ignore

  it('puts a new file in place of the old one instead of writing into it', async () => {
    const folder = temporaryFolder({ 'a.txt': 'old' });
    linkSync(join(folder, 'a.txt'), join(folder, 'witness'));
    await new WorkspaceRoot(folder).write('a.txt', 'new');
    expect(readFileSync(join(folder, 'witness'), 'utf8')).toBe('old');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new');
  });

  it('leaves nothing behind, neither after success nor after an error', async () => {
    const folder = temporaryFolder({ 'a.txt': 'old' });
    await new WorkspaceRoot(folder).write('a.txt', 'new');
    using place = resolveGivenPath('taken', new RootFolder(folder));
    mkdirSync(join(folder, 'taken'));
    expect(await describeOutcome(() => writeFileAtomically(place, { content: Buffer.from('x') }))).toBe(
      'FileError: taken: it is a folder.\nTry: <R:.>',
    );
    expect(readdirSync(folder)).toEqual(['a.txt', 'taken']);
  });

  it('refuses a folder', async () => {
    const folder = temporaryFolder({ 'd/x': '' });
    expect(await describeOutcome(() => new WorkspaceRoot(folder).write('d', ''))).toBe(
      'FileError: d is a folder, not a file.\nTry: <R:d>',
    );
    expect(await describeOutcome(() => new WorkspaceRoot(folder).write('', ''))).toContain('is a folder, not a file');
  });
});

/** Number of a process that has ended. */
function deadProcess(): number {
  return spawnSync('true').pid;
}

const nameOf = (pid: number, end = '0123456789abcdef.tmp'): string => `.bae-${pid}-${end}`;
const HOURS_AGO = new Date(Date.now() - 2 * 60 * 60 * 1000);

describe('a temporary file', () => {
  it('has a name with the process that writes it', () => {
    expect(createTemporaryName()).toMatch(new RegExp(String.raw`^\.bae-${process.pid}-[0-9a-f]{16}\.tmp$`));
  });

  it('of a process that has ended is removed before the first write beside it', async () => {
    const folder = temporaryFolder({ [`d/${nameOf(deadProcess())}`]: 'half', [nameOf(deadProcess())]: 'half' });
    await new WorkspaceRoot(folder).write('d/a.txt', 'x');
    expect(readdirSync(join(folder, 'd'))).toEqual(['a.txt']);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('of a process that has ended is removed when the folder is listed', async () => {
    const folder = temporaryFolder({ [`d/${nameOf(deadProcess())}`]: 'half', 'd/a.txt': '' });
    const workspace = new WorkspaceRoot(folder);
    expect(await workspace.list('d')).toEqual(['a.txt']);
    expect(readdirSync(join(folder, 'd'))).toEqual(['a.txt']);
  });

  it('stays while the process that writes it may live', async () => {
    const folder = temporaryFolder({ [nameOf(process.ppid)]: 'half', [nameOf(process.pid)]: 'half' });
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('is removed when it is too old to be written to, or older than the process with its number', async () => {
    const folder = temporaryFolder({ [nameOf(process.ppid)]: 'half', [nameOf(process.pid)]: 'half' });
    utimesSync(join(folder, nameOf(process.ppid)), HOURS_AGO, HOURS_AGO);
    const started = new Date(performance.timeOrigin - 1000);
    utimesSync(join(folder, nameOf(process.pid)), started, started);
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('is removed also when it got its other name already', async () => {
    const left = nameOf(deadProcess());
    const folder = temporaryFolder({ [left]: 'whole' });
    linkSync(join(folder, left), join(folder, 'b.txt'));
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toEqual(['a.txt', 'b.txt']);
  });

  it('is only what looks exactly like one', async () => {
    const gone = deadProcess();
    const others = [nameOf(gone, '0123456789abcde.tmp'), nameOf(gone, '0123456789abcdef.tmp.txt'), `x${nameOf(gone)}`, '.bae-x.tmp', `.bae-${gone}.tmp`];
    const folder = temporaryFolder(Object.fromEntries(others.map((name) => [name, 'mine'])));
    mkdirSync(join(folder, nameOf(gone, '1111111111111111.tmp')));
    symlinkSync('elsewhere', join(folder, nameOf(gone, '2222222222222222.tmp')));
    execFileSync('mkfifo', [join(folder, nameOf(gone, '3333333333333333.tmp'))]);
    for (const name of others) utimesSync(join(folder, name), HOURS_AGO, HOURS_AGO);
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toHaveLength(others.length + 4);
  }); // prettier-ignore

  it.runIf(process.getuid?.() === 0)('of another user stays', async () => {
    const left = nameOf(deadProcess());
    const folder = temporaryFolder({ [left]: 'half' });
    execFileSync('chown', ['12345', join(folder, left)]);
    await new WorkspaceRoot(folder).write('a.txt', 'x');
    expect(readdirSync(folder)).toEqual([left, 'a.txt']);
  });

  it('that appears later is not looked for again', async () => {
    const folder = temporaryFolder();
    const workspace = new WorkspaceRoot(folder);
    await workspace.write('a.txt', 'x');
    writeFileSync(join(folder, nameOf(deadProcess())), 'half');
    await workspace.write('a.txt', 'y');
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
