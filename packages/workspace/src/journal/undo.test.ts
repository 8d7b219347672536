import {
  chmodSync,
  lstatSync,
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
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

function workspaceWith(files: Files = {}, journal: 'memory' | 'disk' = 'memory') {
  const folder = temporaryFolder(files);
  const content = (path: string) => readFileSync(join(folder, path), 'utf8');
  return { folder, content, workspace: new WorkspaceRoot(folder, { journal }) };
}

/** The report of an undo: what it undid, then why no more. */
async function undone(workspace: WorkspaceRoot, steps = 1): Promise<readonly string[]> {
  const { undone, problem } = await workspace.undo({ steps });
  return [
    ...undone.map(({ action, path }) => `${action} ${path}`),
    ...(problem === undefined ? [] : [`${problem.name}: ${problem.message}`, ...problem.hints]),
  ];
}

describe.each(['memory', 'disk'] as const)('undo with a journal in %s', (journal) => {
  it('brings back the content, the mode and nothing else', async () => {
    const { folder, content, workspace } = workspaceWith({ 'run.sh': 'old\r\n' }, journal);
    chmodSync(join(folder, 'run.sh'), 0o750);
    await workspace.write('run.sh', 'new\n', { action: 'edit' });
    expect(await undone(workspace)).toEqual(['edit run.sh']);
    expect(content('run.sh')).toBe('old\r\n');
    expect(statSync(join(folder, 'run.sh')).mode & 0o7777).toBe(0o750);
  });

  it('brings back a read-only file that was changed by force', async () => {
    const { folder, content, workspace } = workspaceWith({ 'a.txt': 'old' }, journal);
    chmodSync(join(folder, 'a.txt'), 0o444);
    await workspace.write('a.txt', 'new', { force: true });
    expect(await undone(workspace)).toEqual(['write a.txt']);
    expect(content('a.txt')).toBe('old');
    expect(statSync(join(folder, 'a.txt')).mode & 0o7777).toBe(0o444);
  });

  it('removes what was created, with the folders created for it', async () => {
    const { folder, workspace } = workspaceWith({ 'kept/x': '' }, journal);
    await workspace.write('kept/a/b/new.txt', 'x');
    await undone(workspace);
    expect(readdirSync(join(folder, 'kept'))).toEqual(['x']);
  });

  it('leaves a created folder that something else was put in', async () => {
    const { folder, workspace } = workspaceWith({}, journal);
    await workspace.write('a/b/new.txt', 'x');
    writeFileSync(join(folder, 'a/theirs.txt'), '');
    await undone(workspace);
    expect(readdirSync(join(folder, 'a'))).toEqual(['theirs.txt']);
  });

  it('restores what was removed, with its bytes and mode', async () => {
    const bytes = Buffer.from([0, 255, 1, 13, 10]);
    const { folder, workspace } = workspaceWith({ 'd/a.bin': bytes }, journal);
    chmodSync(join(folder, 'd/a.bin'), 0o604);
    await workspace.remove('d/a.bin');
    expect(await undone(workspace)).toEqual(['remove d/a.bin']);
    expect(readFileSync(join(folder, 'd/a.bin'))).toEqual(bytes);
    expect(statSync(join(folder, 'd/a.bin')).mode & 0o7777).toBe(0o604);
  });

  it('goes back one change at a time, and never undoes an undo', async () => {
    const { content, workspace } = workspaceWith({ 'a.txt': '1' }, journal);
    for (const text of ['2', '3', '4']) await workspace.write('a.txt', text);
    expect([await undone(workspace), content('a.txt')]).toEqual([['write a.txt'], '3']);
    expect([await undone(workspace), content('a.txt')]).toEqual([['write a.txt'], '2']);
    await workspace.write('a.txt', '5');
    expect(await undone(workspace, 9)).toEqual(['write a.txt', 'write a.txt']);
    expect(content('a.txt')).toBe('1');
    expect(await undone(workspace)).toEqual([]);
  });

  it('leaves links what they are', async () => {
    const { folder, content, workspace } = workspaceWith({ 'd/a.txt': 'old' }, journal);
    symlinkSync('d/a.txt', join(folder, 'link'));
    symlinkSync('d/none.txt', join(folder, 'dangling'));
    await workspace.write('link', 'new');
    await workspace.write('dangling', 'made');
    await undone(workspace, 2);
    expect(content('d/a.txt')).toBe('old');
    expect(lstatSync(join(folder, 'dangling')).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(folder, 'd'))).toEqual(['a.txt']);
  });

  it('does only what the session did that asks', async () => {
    const { content, workspace } = workspaceWith({ 'a.txt': '1', 'b.txt': '1' }, journal);
    await workspace.write('a.txt', '2', { session: 'one' });
    await workspace.write('b.txt', '2', { session: 'other' });
    expect((await workspace.undo({ session: 'one', steps: 5 })).undone).toHaveLength(1);
    expect([content('a.txt'), content('b.txt')]).toEqual(['1', '2']);
    expect((await workspace.operations()).map(({ session, path }) => [session, path])).toEqual([['other', 'b.txt']]);
  });

  it('of a change that failed is no undo', async () => {
    const { folder, workspace } = workspaceWith({ 'a.txt': '1' }, journal);
    chmodSync(join(folder, 'a.txt'), 0o444);
    await expect(workspace.write('a.txt', '2')).rejects.toThrow('read-only');
    await expect(workspace.write('new/x'.padEnd(400, 'x'), '2')).rejects.toThrow('too long');
    expect(await undone(workspace)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name !== '.bae')).toEqual(['a.txt']);
  });
});

describe('an undo of what someone else has changed since', () => {
  it('leaves the file alone and suggests what to do', async () => {
    const { folder, content, workspace } = workspaceWith({ 's.py': '1\n2\n', 'other.py': '1\n' });
    await workspace.write('s.py', 'x\n', { action: 'edit' });
    await workspace.write('other.py', 'x\n', { action: 'edit' });
    writeFileSync(join(folder, 's.py'), 'theirs\ntoo\n\n');
    expect(await undone(workspace, 5)).toEqual([
      'edit other.py',
      'ConflictError: s.py changed after the edit that is to be undone (line count 1 -> 3). It was left unchanged. Read it, and change it back by an edit.',
      '<R:s.py>',
    ]);
    expect(content('s.py')).toBe('theirs\ntoo\n\n');
  });

  it('does not bring back what was removed, nor follow a link that took its place', async () => {
    const { folder, content, workspace } = workspaceWith({ 'a.txt': '1', 'b.txt': 'new' });
    await workspace.write('a.txt', 'new');
    rmSync(join(folder, 'a.txt'));
    expect(await undone(workspace)).toEqual([
      'ConflictError: a.txt is gone: somebody removed it after the write. It was left so. Write it again if it is needed.',
      '<W:a.txt>',
    ]);
    symlinkSync('b.txt', join(folder, 'a.txt'));
    expect((await undone(workspace))[0]).toBe(
      'ConflictError: a.txt leads to b.txt by a link that was not there at the write. It was left unchanged.',
    );
    expect(content('b.txt')).toBe('new');
  });

  it('does not take a folder for the file', async () => {
    const { folder, workspace } = workspaceWith({ 'a.txt': '1' });
    await workspace.remove('a.txt');
    mkdirSync(join(folder, 'a.txt'));
    expect((await undone(workspace))[0]).toBe('FileError: a.txt is a folder, not a file.');
  });

  it('keeps the mode that they gave it', async () => {
    const { folder, content, workspace } = workspaceWith({ 'a.txt': '1' });
    await workspace.write('a.txt', '2');
    chmodSync(join(folder, 'a.txt'), 0o600);
    await undone(workspace);
    expect(content('a.txt')).toBe('1');
    expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o600);
  });

  it('is done already when they put back what was there', async () => {
    const { folder, workspace } = workspaceWith({ 'a.txt': '1' });
    await workspace.write('a.txt', '2');
    await workspace.write('d/b.txt', '2');
    rmSync(join(folder, 'd/b.txt'));
    writeFileSync(join(folder, 'a.txt'), '1');
    expect(await undone(workspace, 2)).toEqual(['write d/b.txt', 'write a.txt']);
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });
});

describe('the preview of an undo', () => {
  it('is what the undo does, over several changes of a file', async () => {
    const { content, workspace } = workspaceWith({ 'a.txt': '1' });
    await workspace.write('a.txt', '2');
    await workspace.write('new.txt', 'x');
    await workspace.write('a.txt', '3');
    const { changes, operations } = await workspace.planUndo({ steps: 3 });
    expect(operations).toHaveLength(3);
    expect(changes.map(({ path, before, after }) => [path, before?.toString(), after?.toString()])).toEqual([
      ['a.txt', '3', '1'],
      ['new.txt', 'x', undefined],
    ]);
    expect(content('a.txt')).toBe('3');
    await workspace.undo({ steps: 3 });
    expect(content('a.txt')).toBe('1');
  });

  it('stops where the undo would', async () => {
    const { folder, workspace } = workspaceWith({ 'a.txt': '1', 'b.txt': '1' });
    await workspace.write('a.txt', '2');
    await workspace.write('b.txt', '2');
    writeFileSync(join(folder, 'a.txt'), 'theirs');
    const { operations, problem } = await workspace.planUndo({ steps: 2 });
    expect(operations.map(({ path }) => path)).toEqual(['b.txt']);
    expect(problem?.message).toContain('a.txt changed after the write');
  });

  it('and the undo call files as they are asked to', async () => {
    const { folder, workspace } = workspaceWith({ 'a.txt': '1' });
    const words = {
      nameOf: (path: string) => path.replace('.txt', ''),
      tagOf: (verb: string, path: string) => `<${verb}:${path.length}>`,
    };
    await workspace.write('a.txt', '2');
    writeFileSync(join(folder, 'a.txt'), 'theirs');
    for (const { problem } of [await workspace.planUndo({ words }), await workspace.undo({ words })]) {
      expect(problem?.message).toMatch(/^a changed after the write/);
      expect(problem?.hints).toEqual(['<R:5>']);
    }
    rmSync(join(folder, 'a.txt'));
    const { problem } = await workspace.undo({ words });
    expect(problem?.message).toMatch(/^a is gone/);
    expect(problem?.hints).toEqual(['<W:5>']);
  });
});
