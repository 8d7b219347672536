import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { resolvePath } from '../path/resolve-path.ts';
import { RootFolder } from '../path/root-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { writeAtomically } from './write-atomically.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe('writing', () => {
  it('creates the folders above', async () => {
    const folder = temporaryFolder();
    await new WorkspaceRoot(folder).write('a/b/c.txt', 'ä\n');
    expect(readFileSync(join(folder, 'a/b/c.txt'), 'utf8')).toBe('ä\n');
  });

  it('tells the digest of what is there afterwards', async () => {
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

  it('replaces a read-only file when it is told to, and leaves it read-only', async () => {
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

  it('says so when a folder above is a file, and leaves it alone', async () => {
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
    using place = resolvePath('taken', new RootFolder(folder));
    mkdirSync(join(folder, 'taken'));
    expect(await describeOutcome(() => writeAtomically(place, { content: Buffer.from('x') }))).toBe(
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
