import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tool, type ToolContext } from '@bae/core';
import { splitLines, WorkspaceRoot } from '@bae/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { linePatch, ModuleChange, renderShortDiff, writeTogether } from './module-change.ts';

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

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

describe('the lines that a change is about', () => {
  it.each([
    ['a\nb\nc\n', 'a\nx\ny\nc\n', { first: 2, removed: 1, added: 2 }],
    ['a\nb\n', 'a\nb\nc\n', { first: 3, removed: 0, added: 1 }],
    ['a\na\na\n', 'a\na\n', { first: 3, removed: 1, added: 0 }],
    ['', 'a\n', { first: 1, removed: 0, added: 1 }],
  ])('of %j to %j', (before, after, expected) => {
    expect(linePatch(before, after)).toEqual(expected);
  });

  it('have everything that is different between them', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { first, removed, added } = linePatch(before, after);
        const [old, now] = [splitLines(before), splitLines(after)];
        const patched = [
          ...old.slice(0, first - 1),
          ...now.slice(first - 1, first - 1 + added),
          ...old.slice(first - 1 + removed),
        ];
        expect(patched).toEqual(now);
      }),
    );
  });
});

describe('the difference between two texts', () => {
  it('comes without the names of files', () => {
    expect(renderShortDiff('a\n', 'b\n')).toBe('@@ -1 +1 @@\n-a\n+b');
    expect(renderShortDiff('a\n', 'a\n')).toBe('');
  });

  it('has at most twenty lines, and says how many more there are', () => {
    const many = Array.from({ length: 30 }, (_, number) => `${number}\n`).join('');
    expect(renderShortDiff('', many).split('\n').slice(-2)).toEqual(['+18', '… 11 more lines of changes']);
  });
});

describe('ModuleChange', () => {
  const context: ToolContext = {
    signal: new AbortController().signal,
    space: 'source',
    definition: tool('A tool.', {}, () => '').named('write'),
    answerLimit: 500,
    block: false,
    fromCode: false,
    batch: [],
    requestApproval: async () => undefined,
    tag: (tag) => tag,
    session: { id: 'mine', seen: new Map() },
  };

  function plan(files: Readonly<Record<string, string>>, texts: Readonly<Record<string, string>>) {
    const folder = temporaryFolder(files);
    const root = new WorkspaceRoot(folder);
    const hashOf = async (path: string) => (files[path] === undefined ? null : (await root.readText(path)).hash);
    const change = async () =>
      new ModuleChange({
        root,
        path: 'a.ts',
        files: await Promise.all(
          Object.entries(texts).map(async ([path, text]) => {
            return { path, text, before: files[path], expected: await hashOf(path) };
          }),
        ),
        nameOf: (path) => path,
        instead: '<R:a>',
        describe: () => ({ text: 'Done', hint: 'all' }),
      });
    return { change, read: (path: string) => readFileSync(join(folder, path), 'utf8'), folder };
  }

  it('is one object that names its files, shows what it does, and does it', async () => {
    const { change, read } = plan({ 'a.ts': 'old\n' }, { 'a.ts': 'new\n', 'b.ts': 'more\n' });
    const planned = await change();
    expect(planned.touches).toEqual(['a.ts', 'b.ts']);
    expect(planned.preview()).toBe(
      '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n--- /dev/null\n+++ b.ts\n@@ -0,0 +1 @@\n+more\n',
    );
    expect(read('a.ts')).toBe('old\n');
    expect(await planned.apply(context)).toEqual({ text: 'Done', hint: 'all', format: 'code' });
    expect([read('a.ts'), read('b.ts')]).toEqual(['new\n', 'more\n']);
  });

  it('is not made when a file changed since it was planned', async () => {
    const { change, read, folder } = plan({ 'b.ts': 'old\n' }, { 'a.ts': 'more\n', 'b.ts': 'new\n' });
    const planned = await change();
    writeFileSync(join(folder, 'b.ts'), 'theirs\n');
    await expect(planned.apply(context)).rejects.toThrow('b.ts');
    expect(readdirSync(folder)).toEqual(['b.ts']);
    expect(read('b.ts')).toBe('theirs\n');
  });
});
