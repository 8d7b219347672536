import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeOutcome } from '../test/describe-outcome.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { WorkspaceRoot } from './workspace-root.ts';

const WINDOW = { line: 1, column: 1, chars: 100 };

function workspaceWith(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const folder = temporaryFolder(files);
  return { folder, workspace: new WorkspaceRoot(folder) };
}

describe('reading', () => {
  it('finds the files, and links with such names, whose content is shown only with consent', async () => {
    const files = { 'a.txt': '', 'api/.env': '', '.env.example': '', '.gitignore': 'api', '.bae/bae.db': '' };
    const { folder, workspace } = workspaceWith(files);
    symlinkSync('a.txt', join(folder, 'server.pem'));
    expect(await workspace.secretFiles({ pattern: '**', all: true })).toEqual(['api/.env', 'server.pem']);
  });

  it('lists a folder without the data of git and of bae', async () => {
    const files = ['a.txt', '.git/HEAD', '.gitignore', '.bae/bae.db', 'part/.git', 'part/b.txt', 'part/.bae/x'];
    const { workspace } = workspaceWith(Object.fromEntries(files.map((path) => [path, ''])));
    expect(await workspace.list('.')).toEqual(['.gitignore', 'a.txt', 'part/']);
    expect(await workspace.list('part')).toEqual(['.bae/', 'b.txt']);
    expect(await workspace.list('.git')).toEqual(['HEAD']);
  });

  it('keeps line breaks, a byte order mark and a missing last line break', async () => {
    const text = '\ufeffa\r\nb\nc';
    const { workspace } = workspaceWith({ 'a.txt': text });
    expect(await workspace.readText('a.txt')).toMatchObject({ text, lines: 3, size: 9, binary: false });
    expect(await workspace.readWindow('a.txt', WINDOW)).toMatchObject({ text, cut: false, lines: 3 });
  });

  it('computes the same digest whichever way a file is read', async () => {
    const { workspace } = workspaceWith({ 'a.txt': 'ä'.repeat(200_000) });
    const digest = await workspace.digest('a.txt');
    expect(await workspace.readText('a.txt')).toMatchObject({ ...digest });
    expect(await workspace.readWindow('a.txt', WINDOW)).toMatchObject({ ...digest });
    expect(digest).toMatchObject({ size: 400_000, lines: 1 });
  });

  it('names the nearest sibling of what is missing', async () => {
    const { workspace } = workspaceWith({ 'src/main.py': '', 'src/util/text.py': '', 'README.md': '' });
    expect(await describeOutcome(() => workspace.readText('src/mian.py'))).toBe(
      'FileNotFoundError: src/mian.py. Did you mean src/main.py?\nTry: <R:src/main.py>',
    );
    expect(await describeOutcome(() => workspace.readText('scr/util/text.py'))).toBe(
      'FileNotFoundError: scr/util/text.py. Did you mean src/util/text.py?\nTry: <R:src/util/text.py>',
    );
    expect(await describeOutcome(() => workspace.readText('scr/other.py'))).toBe(
      'FileNotFoundError: scr/other.py. Did you mean src?\nTry: <R:src>',
    );
    expect(await describeOutcome(() => workspace.readText('src/zzzzzzzz'))).toBe(
      'FileNotFoundError: src/zzzzzzzz does not exist.\nTry: <R:src>',
    );
    expect(await describeOutcome(() => workspace.readText('README.md/x'))).toBe(
      'FileNotFoundError: README.md/x does not exist.\nTry: <R:README.md>',
    );
  });

  it('refuses a folder', async () => {
    const { workspace } = workspaceWith({ 'src/a': '' });
    expect(await describeOutcome(() => workspace.readText('src'))).toBe(
      'FileError: src is a folder, not a file.\nTry: <R:src>',
    );
  });

  it('refuses binary files with their size', async () => {
    const { workspace } = workspaceWith({ 'img/logo.png': new Uint8Array(12 * 1024) });
    expect(await describeOutcome(() => workspace.readText('img/logo.png'))).toBe(
      'BinaryFileError: img/logo.png is binary (12 KB).\nTry: <R:img>',
    );
    expect(await workspace.readWindow('img/logo.png', WINDOW)).toMatchObject({ binary: true, text: '' });
  });

  it('looks for NUL in the first 8192 bytes only', async () => {
    const late = `${'x'.repeat(8192)}\0`;
    const { workspace } = workspaceWith({ late, early: `${'x'.repeat(8191)}\0` });
    expect((await workspace.readText('late')).text).toBe(late);
    expect(await workspace.digest('early')).toMatchObject({ binary: true });
  });

  it('refuses what is not UTF-8 with the line, and shows it when only a part is asked for', async () => {
    const { workspace } = workspaceWith({ 'latin.txt': Buffer.from('ok\ncaf\xe9\n', 'latin1') });
    expect(await describeOutcome(() => workspace.readText('latin.txt'))).toBe(
      'FileError: latin.txt is not UTF-8: line 2 has bytes that are not characters. It is not changed, to keep them.\nTry: <R:latin.txt:2>',
    );
    expect(await workspace.readWindow('latin.txt', WINDOW)).toMatchObject({ text: 'ok\ncaf\ufffd\n' });
  });
});

describe('special files', () => {
  const specials = {
    pipe: (path: string) => void execFileSync('mkfifo', [path]),
    socket: async (path: string) => {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await once(server, 'listening');
    },
  };

  it.each(Object.entries(specials))('are refused without waiting: %s', async (kind, create) => {
    const { folder, workspace } = workspaceWith();
    await create(join(folder, 'special'));
    const refusal = `FileError: special is a ${kind}, not a file. Only regular files can be used.\nTry: <R:.>`;
    // More than there are threads for disk access: were one of them to wait, the rest would wait with it.
    for (let time = 0; time < 12; time++) {
      expect(await describeOutcome(() => workspace.readText('special'))).toBe(refusal);
      expect(await describeOutcome(() => workspace.readWindow('special', WINDOW))).toBe(refusal);
      expect(await describeOutcome(() => workspace.digest('special'))).toBe(refusal);
      expect(await describeOutcome(() => workspace.grep({ pattern: 'x', path: 'special' }))).toBe(refusal);
    }
    expect(await describeOutcome(() => workspace.write('special', ''))).toBe(refusal);
    expect(await describeOutcome(() => workspace.remove('special'))).toBe(refusal);
    expect(await workspace.info('special')).toMatchObject({ kind: 'special' });
    expect(await workspace.glob({ pattern: '**' })).toEqual([]);
    expect(await workspace.grep({ pattern: 'x' })).toMatchObject({ searched: 0 });
  });

  it.runIf(process.platform === 'linux')('of the kernel are refused, which look like any file', async () => {
    using kernel = new WorkspaceRoot('/proc/self');
    const refusal = 'FileError: status is a kernel file, not a file. Only regular files can be used.\nTry: <R:.>';
    expect(await describeOutcome(() => kernel.readText('status'))).toBe(refusal);
    expect(await describeOutcome(() => kernel.readWindow('status', WINDOW))).toBe(refusal);
  });

  it('named .gitignore do not stop a search', async () => {
    const { folder } = workspaceWith({ 'a.txt': 'x' });
    execFileSync('mkfifo', [join(folder, '.gitignore')]);
    expect(await new WorkspaceRoot(folder).glob({ pattern: '*' })).toEqual(['a.txt']);
  });
});

describe('list', () => {
  it('sorts names and marks folders', async () => {
    const { folder, workspace } = workspaceWith({ 'b.txt': '', 'a/x': '', '.env': '', 'C.md': '' });
    symlinkSync('a', join(folder, 'link'));
    expect(await workspace.list('.')).toEqual(['.env', 'C.md', 'a/', 'b.txt', 'link']);
    expect(await describeOutcome(() => workspace.list('b.txt'))).toBe(
      'FileError: b.txt is not a folder.\nTry: <R:b.txt>',
    );
    expect(await describeOutcome(() => workspace.list('aa/b'))).toContain('FileNotFoundError: aa/b. Did you mean a?');
  });
});

describe('remove', () => {
  it('removes a file and nothing else', async () => {
    const { folder, workspace } = workspaceWith({ 'd/a.txt': '', 'd/b.txt': '' });
    symlinkSync('d/b.txt', join(folder, 'link'));
    await workspace.remove('d/a.txt');
    expect(readdirSync(join(folder, 'd'))).toEqual(['b.txt']);
    expect(await describeOutcome(() => workspace.remove('d'))).toBe(
      'FileError: d is a folder, not a file.\nTry: <R:d>',
    );
    expect(await describeOutcome(() => workspace.remove('d/a.txt'))).toContain('FileNotFoundError: d/a.txt');
  });
});

describe('what the system refuses', () => {
  it('is describeOutcome', async () => {
    const { workspace } = workspaceWith({ 'a.txt': '' });
    const long = 'x'.repeat(300);
    expect(await describeOutcome(() => workspace.readText(long))).toBe(
      `FileError: ${'x'.repeat(199)}…: the name is too long.\nTry: <R:.>`,
    );
    expect(await describeOutcome(() => workspace.write('a.txt/b', ''))).toBe(
      'FileError: a.txt/b: a part of the path is a file, not a folder.\nTry: <R:.>',
    );
  });

  it.skipIf(process.getuid?.() === 0)('for want of permission is describeOutcome', async () => {
    const { folder, workspace } = workspaceWith({ 'a.txt': '' });
    chmodSync(join(folder, 'a.txt'), 0);
    expect(await describeOutcome(() => workspace.readText('a.txt'))).toBe(
      'FileError: a.txt: permission denied.\nTry: <R:.>',
    );
  });
});

describe('a draft', () => {
  it('refuses to remove a link or to make a folder in a draft, which cannot hold them', async () => {
    const folder = temporaryFolder({ 'd/a.txt': '1' });
    symlinkSync('d', join(folder, 'rl'));
    const workspace = new WorkspaceRoot(folder);
    const draft = workspace.createDraft();
    await draft.run(async () => {
      const removal = await workspace.open('rl', { toChange: true, itself: true }).planRemove();
      await expect(removal.apply()).rejects.toThrow('rl is a link, which a block neither moves nor deletes.');
      const made = await workspace.planFolder('new');
      await expect(made.apply()).rejects.toThrow('new is an empty folder, which a block neither moves nor deletes.');
    });
    expect(readdirSync(folder)).toEqual(['d', 'rl']);
    await draft.dispose();
  });
});
