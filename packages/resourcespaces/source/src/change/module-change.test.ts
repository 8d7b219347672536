import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitLines, WorkspaceRoot } from '@bae/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolContext } from '../../test/tool-context.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { findLinePatch, planModules, renderShortDiff } from './module-change.ts';

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
    expect(findLinePatch(before, after)).toEqual(expected);
  });

  it('have everything that is different between them', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { first, removed, added } = findLinePatch(before, after);
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

  it('has at most twenty lines, and counts the others', () => {
    const many = Array.from({ length: 30 }, (_, number) => `${number}\n`).join('');
    expect(renderShortDiff('', many).split('\n').slice(-2)).toEqual(['+18', '… 11 more lines of changes']);
  });
});

describe('a change of modules', () => {
  const context = toolContext('write');

  function plan(files: Readonly<Record<string, string>>, texts: Readonly<Record<string, string>>) {
    const folder = temporaryFolder(files);
    const root = new WorkspaceRoot(folder);
    const hashOf = async (path: string) => (files[path] === undefined ? null : (await root.readText(path)).hash);
    const change = async () =>
      planModules({
        root,
        files: await Promise.all(
          Object.entries(texts).map(async ([path, after]) => {
            return { path, after, before: files[path], expected: await hashOf(path) };
          }),
        ),
        output: { text: 'Done', hint: 'all' },
      });
    return { change, read: (path: string) => readFileSync(join(folder, path), 'utf8'), folder };
  }

  it('is one object that names its files, shows what it does, and does it', async () => {
    const { change, read } = plan({ 'a.ts': 'old\n' }, { 'a.ts': 'new\n', 'b.ts': 'more\n' });
    const planned = await change();
    expect(planned.touches).toEqual([{ path: 'a.ts' }, { path: 'b.ts' }]);
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
