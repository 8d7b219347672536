import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectPackage } from '@bae/project';
import { CodeCatalog } from './code-catalog.ts';
import { openSource } from '../../test/open-source.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': TSCONFIG,
  'src/router.ts': 'export const hit: string = 1;\n',
  'src/router/trie/node.ts': 'export const hit: number = "";\n',
  'src/router/linear.ts': 'export const miss = 1;\n',
  'src/router/globals.d.ts': 'declare const hit: 1;\n',
  'src/other.ts': 'export const hit: number = "";\n',
};

describe('a module with the name of a folder', () => {
  it('shows that there is a folder, and how to list it', async () => {
    const { send } = openSource(FILES);
    expect(await send('<R:router>')).toBe(
      'router (1 constant)\nalso a folder (1 folder, 2 modules): <G:router.**>\n1: const hit: string = 1',
    );
    expect(await send('<G:router.**>')).toBe('router\nrouter.linear\nrouter.trie.node');
    expect(await send('<source.R:router>')).toContain(': <source.G:router.**>\n');
  });

  it('is searched with the folder', async () => {
    const { send } = openSource(FILES);
    const both = 'router.trie.node\n  1: export const hit: number = "";\nrouter\n  1: export const hit: string = 1;';
    expect((await send('<Grep:hit path=router>')).split('\n').toSorted()).toEqual(both.split('\n').toSorted());
    expect(await send('<Grep:nothing path=router>')).toBe('(no matches)\nsearched 3 modules');
  });

  it('has matches where a search names them', async () => {
    const { send } = openSource({ ...FILES, 'src/router/many.ts': 'hit;\n'.repeat(60), 'src/router.ts': '' });
    const result = await send('<Grep:hit>');
    const next = /narrow with path=router or a longer pattern: (<Grep:hit path=router>)$/.exec(result)?.[1];
    expect(await send(next ?? '')).toContain('of 61 matches in 2 modules');
  });

  it('is checked with the folder', async () => {
    const { send } = openSource(FILES);
    expect(await send('<diagnostics:router>')).toBe(
      "2 type errors in router (in 2 of the 4 modules checked)\nrouter\n  1: TS2322: Type 'number' is not assignable to type 'string'.\nrouter.trie.node\n  1: TS2322: Type 'string' is not assignable to type 'number'.",
    );
    expect(await send('<diagnostics:router.hit>')).toContain('1 type error in router (1 module checked)');
  });
});

describe('folders', () => {
  const root: ProjectPackage = { label: '', name: 'demo', folder: '', description: '' };
  const core = { ...root, label: 'core', folder: 'packages/core' };
  const socket = { ...root, label: 'socket.io', folder: 'packages/socket' };
  const catalog = new CodeCatalog(
    ['packages/core/src/index.ts', 'packages/core/src/a/b/c.ts', 'packages/socket/src/d.ts', 'e/f.ts'],
    { packages: [core, socket, root] },
  );

  it('are packages, and what modules are in', () => {
    expect([...catalog.folderNames]).toEqual(['', 'core', 'core.a.b', 'core.a', 'e', 'socket.io']);
    expect(catalog.project.folders.map(({ name }) => name)).toEqual(['core', 'e', 'socket.io']);
    expect(catalog.folder('core')).toMatchObject({ index: { name: 'core' }, package: { label: 'core' }, modules: [] });
    expect(catalog.folder('core.a.b')?.modules.map(({ name }) => name)).toEqual(['core.a.b.c']);
  });
});

const ROOT: ProjectPackage = { label: '', name: 'demo', folder: '', description: '' };
const pack = (label: string, folder: string): ProjectPackage => ({
  label,
  name: `@x/${label}`,
  folder,
  description: '',
});
const PACKAGES = [pack('core', 'packages/core'), pack('socket.io', 'packages/socket'), ROOT];

/** Names by path. */
function names(paths: readonly string[], packages: readonly ProjectPackage[] = [ROOT]): Record<string, string> {
  return Object.fromEntries(new CodeCatalog(paths, { packages }).modules.map(({ path, name }) => [path, name]));
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
        const catalog = new CodeCatalog(paths, { packages: [ROOT] });
        for (const path of paths) {
          const name = found[path] as string;
          expect(catalog.module(name)?.path).toBe(path);
          expect(name.split('.')).not.toContain('');
        }
      }),
    );
  });

  it('may be longer than needed when that is clear', () => {
    const catalog = new CodeCatalog(['packages/core/src/agent/turn.ts', 'packages/core/src/index.ts'], {
      packages: PACKAGES,
    });
    for (const name of ['core.src.agent.turn', 'core.agent.turn.ts', 'packages.core.src.agent.turn']) {
      expect(catalog.moduleByOtherName(name)?.name).toBe('core.agent.turn');
    }
    expect(catalog.moduleByOtherName('core.index')?.name).toBe('core');
  });
});
