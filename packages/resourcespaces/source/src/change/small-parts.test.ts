import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '@bae/workspace';
import { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodePackage } from '../modules/code-module.ts';
import { linePatch } from './line-patch.ts';
import { newModulePath } from './new-module-path.ts';
import { shortDiff } from './short-diff.ts';

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
    expect(shortDiff('a\n', 'b\n')).toBe('@@ -1 +1 @@\n-a\n+b');
    expect(shortDiff('a\n', 'a\n')).toBe('');
  });

  it('has at most twenty lines, and says how many more there are', () => {
    const many = Array.from({ length: 30 }, (_, number) => `${number}\n`).join('');
    expect(shortDiff('', many).split('\n').slice(-2)).toEqual(['+18', '… 11 more lines of changes']);
  });
});

describe('the path of a new module', () => {
  const root: CodePackage = { label: '', name: undefined, folder: '', description: '' };
  const core: CodePackage = { label: 'core', name: '@x/core', folder: 'packages/core', description: '' };
  const at = (address: string, paths: readonly string[], packages = [root]) =>
    newModulePath(address, new CodeCatalog(paths, packages));

  it.each([
    ['a', ['src/b.ts'], 'src/a.ts'],
    ['a', ['b.ts'], 'a.ts'],
    ['a', [], 'a.ts'],
    ['a', ['b.js', 'c.js', 'd.ts'], 'a.js'],
    ['test.a', ['src/b.ts', 'test/b.ts'], 'test/a.ts'],
    ['lib.a', ['src/b.ts', 'test/b.ts'], 'src/lib/a.ts'],
    ['a.test', ['src/a.ts'], 'src/a.test.ts'],
    ['vite.config', ['src/a.ts'], 'src/vite.config.ts'],
    ['lib.index', ['src/lib/a.ts'], 'src/lib/index.ts'],
    ['github.scripts.b', ['src/a.ts', '.github/scripts/a.ts'], '.github/scripts/b.ts'],
    ['github.scripts.deep.b.test', ['src/a.ts', '.github/scripts/a.ts'], '.github/scripts/deep/b.test.ts'],
    ['github.b', ['src/a.ts', '.github/scripts/a.ts'], '.github/b.ts'],
    ['test.c', ['src/a.ts', 'test/unit/deep/a.ts'], 'test/c.ts'],
    ['v1.0.b', ['v1.0/a.ts'], 'v1.0/b.ts'],
    ['v1.0.b', ['v1.0/deep/a.ts'], 'v1.0/b.ts'],
    ['lib.b', ['lib/deep/a.ts', 'src/lib/deep/a.ts'], 'src/lib/b.ts'],
    ['lib.b', ['lib/a.ts', 'src/lib/a.ts'], 'src/lib/b.ts'],
  ])('%s beside %j is %s', (address, paths, expected) => {
    expect(at(address, paths)).toBe(expected);
  });

  it.each([
    ['core.lib.a', 'packages/core/src/lib/a.ts'],
    ['core', 'packages/core/src/index.ts'],
    ['scripts.a', 'scripts/a.mjs'],
  ])('%s of a package is %s', (address, expected) => {
    const paths = ['packages/core/src/x.ts', 'packages/core/src/y.ts', 'scripts/build.mjs'];
    expect(at(address, paths, [core, root])).toBe(expected);
  });

  it('needs a package where there are several', () => {
    expect(() => at('a.b', ['packages/core/src/x.ts'], [core, root])).toThrow("'a' is no package of this project");
  });
});
