import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodeCatalog, type CodePackage } from './code-catalog.ts';

const ROOT: CodePackage = { label: '', name: 'demo', folder: '', description: '' };
const pack = (label: string, folder: string): CodePackage => ({ label, name: `@x/${label}`, folder, description: '' });
const PACKAGES = [pack('core', 'packages/core'), pack('socket.io', 'packages/socket'), ROOT];

/** Names by path. */
function names(paths: readonly string[], packages: readonly CodePackage[] = [ROOT]): Record<string, string> {
  return Object.fromEntries(new CodeCatalog(paths, packages).modules.map(({ path, name }) => [path, name]));
}

describe('names of modules', () => {
  it('begin with the package and go on below src', () => {
    expect(
      names(
        [
          'packages/core/src/index.ts',
          'packages/core/src/tool-router/index.ts',
          'packages/core/src/tool-router/dispatch.ts',
          'packages/core/test/dispatch.test.ts',
          'packages/core/vite.config.ts',
          'packages/socket/src/a.ts',
          'scripts/build.mjs',
        ],
        PACKAGES,
      ),
    ).toEqual({
      'packages/core/src/index.ts': 'core',
      'packages/core/src/tool-router/index.ts': 'core.tool-router',
      'packages/core/src/tool-router/dispatch.ts': 'core.tool-router.dispatch',
      'packages/core/test/dispatch.test.ts': 'core.test.dispatch.test',
      'packages/core/vite.config.ts': 'core.vite.config',
      'packages/socket/src/a.ts': 'socket.io.a',
      'scripts/build.mjs': 'scripts.build',
    });
  });

  it('begin with the folders where there is one package', () => {
    expect(names(['src/lib/core.ts', 'lib/other.ts', 'src/index.ts', 'index.ts', 'src/main.tsx'])).toEqual({
      'src/lib/core.ts': 'lib.core',
      'lib/other.ts': 'lib.other',
      'src/index.ts': 'index',
      'index.ts': 'index.ts',
      'src/main.tsx': 'main',
    });
  });

  it.each([
    [
      ['a.ts', 'a.tsx', 'a.js'],
      ['a', 'a.tsx', 'a.js'],
    ],
    [
      ['a.ts', 'a/index.ts'],
      ['a', 'a.index'],
    ],
    [
      ['a.js', 'a/index.ts'],
      ['a.js', 'a'],
    ],
    [
      ['src/a.ts', 'a.ts'],
      ['a', 'a.ts'],
    ],
    [
      ['src/a.ts', 'a.ts', 'src/a/ts.ts'],
      ['a', 'a.ts~2', 'a.ts'],
    ],
    [
      ['a.b.ts', 'a/b.ts'],
      ['a.b', 'a.b.ts'],
    ],
    [
      ['a.b.ts', 'a/b.ts', 'a/b/ts.ts'],
      ['a.b', 'a.b.ts~2', 'a.b.ts'],
    ],
    [
      ['.github/scripts/run.mjs', '.eslintrc.cjs', 'web/.storybook/main.ts', 'web/[...slug]/page.ts'],
      ['github.scripts.run', 'eslintrc', 'web.storybook.main', 'web.[...slug].page'],
    ],
    [
      ['a/b.ts', '.a/b.ts', '.a/.b.ts'],
      ['a.b', 'a.b.ts~2', 'a.b.ts'],
    ],
  ])('of %j are %j', (paths, expected) => {
    const found = names(paths);
    expect(paths.map((path) => found[path])).toEqual(expected);
  });

  it('are different for all files, in whatever order these come, and lead back to them', () => {
    const step = fc.constantFrom('src', 'a', 'b', 'index', 'a.b', 'ts', '.a');
    const file = fc
      .tuple(fc.array(step, { maxLength: 3 }), step, fc.constantFrom('ts', 'tsx', 'js', 'mjs', 'd.ts'))
      .map(([folders, stem, ending]) => [...folders, `${stem}.${ending}`].join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(file, { maxLength: 12 }), (paths) => {
        const found = names(paths);
        expect(names(paths.toReversed())).toEqual(found);
        expect(new Set(Object.values(found)).size).toBe(paths.length);
        const catalog = new CodeCatalog(paths, [ROOT]);
        for (const path of paths) {
          const name = found[path] as string;
          expect(catalog.module(name)?.path).toBe(path);
          expect(name.split('.')).not.toContain('');
        }
      }),
    );
  });

  it('may be longer than needed when that is clear', () => {
    const catalog = new CodeCatalog(['packages/core/src/agent/turn.ts', 'packages/core/src/index.ts'], PACKAGES);
    for (const name of ['core.src.agent.turn', 'core.agent.turn.ts', 'packages.core.src.agent.turn']) {
      expect(catalog.moduleByOtherName(name)?.name).toBe('core.agent.turn');
    }
    expect(catalog.moduleByOtherName('core.index')?.name).toBe('core');
  });
});
