import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolContext } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { writeTogether } from './write-together.ts';

function open(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder(files);
  const root = new WorkspaceRoot(folder);
  const session = { id: 'mine' } as ToolContext['session'];
  const write = (paths: readonly string[], signal: AbortSignal = new AbortController().signal) =>
    writeTogether(
      root,
      paths.map((path) => ({ path, text: `${path}\n`, expected: null, action: 'scaffold' })),
      { session, signal },
    );
  return { folder, root, write };
}

describe('writeTogether', () => {
  it('makes all files, in one step of the undo', async () => {
    const { folder, root, write } = open();
    await write(['s/a.js', 's/deep/b.js']);
    expect(readFileSync(join(folder, 's/deep/b.js'), 'utf8')).toBe('s/deep/b.js\n');
    expect((await root.undo({ session: 'mine' })).undone).toHaveLength(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing but what somebody else made meanwhile', async () => {
    const { folder, root, write } = open({ 's/b.js': 'theirs' });
    await expect(write(['s/a.js', 's/b.js', 's/c.js'])).rejects.toThrow('s/b.js');
    expect(readdirSync(join(folder, 's'))).toEqual(['b.js']);
    expect(readFileSync(join(folder, 's/b.js'), 'utf8')).toBe('theirs');
    expect(await root.operations()).toEqual([]);
  });

  it('leaves nothing when the system refuses a file in the middle', async () => {
    const { folder, write } = open();
    await expect(write(['s/a.js', `s/${'x'.repeat(300)}.js`])).rejects.toThrow('too long');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing when it is broken off', async () => {
    const { folder, root, write } = open();
    const abort = new AbortController();
    const original = root.write.bind(root);
    root.write = async (...args) => {
      abort.abort(new Error('enough'));
      return original(...args);
    };
    await expect(write(['s/a.js', 's/b.js'], abort.signal)).rejects.toThrow('enough');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes back no earlier change when not even the first file can be made', async () => {
    const { folder, root, write } = open();
    await root.write('mine.txt', 'x', { session: 'mine' });
    await expect(write(['mine.txt/a.js'])).rejects.toThrow('mine.txt');
    expect(existsSync(join(folder, 'mine.txt'))).toBe(true);
  });

  it('says so when what it made cannot be taken back', async () => {
    const { folder, root, write } = open();
    const original = root.write.bind(root);
    root.write = async (path, ...rest) => {
      if (path === 's/b.js') writeFileSync(join(folder, 's/a.js'), 'theirs');
      if (path === 's/b.js') throw new Error('disk');
      return original(path, ...rest);
    };
    await expect(write(['s/a.js', 's/b.js'])).rejects.toThrow(
      'not all files could be written, and those that were are left: s/a.js changed after the scaffold',
    );
  });
});
