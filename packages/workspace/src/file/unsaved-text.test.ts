import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const WINDOW = { line: 1, column: 1, chars: 100 };

/** A workspace, and an editor that has these texts; `asked` are the files that it was asked for. */
function openWith(files: Readonly<Record<string, string>>, buffers: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(files);
  const asked: string[] = [];
  const readUnsaved = async (path: string) => {
    asked.push(path.slice(folder.length + 1));
    const text = buffers[path.slice(folder.length + 1)];
    if (text === undefined) throw new Error('not open');
    return text;
  };
  return { folder, asked, workspace: new WorkspaceRoot(folder, { readUnsaved }) };
}

it('reads what an editor has not saved yet', async () => {
  const { folder, workspace, asked } = openWith({ 'a.txt': 'saved', 'b.txt': 'b' }, { 'a.txt': 'not\nsaved' });
  symlinkSync('a.txt', join(folder, 'link'));
  expect(await workspace.readWindow('a.txt', WINDOW)).toMatchObject({ text: 'not\nsaved', lines: 2 });
  expect(await workspace.readWindow('link', WINDOW)).toMatchObject({ text: 'not\nsaved' });
  expect(await workspace.readWindow('b.txt', WINDOW)).toMatchObject({ text: 'b' });
  expect(asked).toEqual(['a.txt', 'a.txt', 'b.txt']);
});

it('takes other line breaks for no change, and keeps those of the file', async () => {
  const { workspace } = openWith({ 'a.txt': '\uFEFFa\r\nb\r\n' }, { 'a.txt': 'a\nb\n' });
  expect(await workspace.readWindow('a.txt', WINDOW)).toMatchObject({ text: '\uFEFFa\r\nb\r\n' });
  const change = await workspace.open('a.txt').planWrite('c');
  expect(change.touches).toEqual([{ path: 'a.txt' }]);
});

it('asks an editor for nothing that the workspace would not read', async () => {
  const { folder, workspace, asked } = openWith({ '.env': 'KEY=1' }, { '.env': 'KEY=2', '/etc/passwd': 'x' });
  symlinkSync('/etc/passwd', join(folder, 'out'));
  expect(await describeOutcome(() => workspace.readWindow('.env', WINDOW))).toContain('ProtectedFileError');
  expect(await describeOutcome(() => workspace.readWindow('out', WINDOW))).toContain('PathError');
  expect(await describeOutcome(() => workspace.readWindow('../x', WINDOW))).toContain('PathError');
  expect(asked).toEqual([]);
});

it.each([true, false])(
  'changes no file that has changes which are not saved, opened to change it: %s',
  async (toChange) => {
    const { folder, workspace } = openWith({ 'a.txt': 'saved' }, { 'a.txt': 'not saved' });
    const file = workspace.open('a.txt', { toChange });
    expect(await describeOutcome(() => file.planWrite('new'))).toBe(
      'ConflictError: a.txt has changes in the editor that are not saved. Nothing was changed. Tell the user to save it, then read it again.\nTry: <R:a.txt>',
    );
    expect(await describeOutcome(() => workspace.open('a.txt', { toChange }).planRemove())).toContain('ConflictError');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('saved');
  },
);
