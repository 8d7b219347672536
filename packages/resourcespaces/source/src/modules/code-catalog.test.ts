import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';
import { CodeCatalog, type CodePackage } from './code-catalog.ts';

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
      "2 type errors in router (2 modules of 4 checked)\nrouter\n  1: TS2322: Type 'number' is not assignable to type 'string'.\nrouter.trie.node\n  1: TS2322: Type 'string' is not assignable to type 'number'.",
    );
    expect(await send('<diagnostics:router.hit>')).toContain('1 type error in router (1 module of 1 checked)');
  });
});

describe('folders', () => {
  const root: CodePackage = { label: '', name: 'demo', folder: '', description: '' };
  const core = { ...root, label: 'core', folder: 'packages/core' };
  const socket = { ...root, label: 'socket.io', folder: 'packages/socket' };
  const catalog = new CodeCatalog(
    ['packages/core/src/index.ts', 'packages/core/src/a/b/c.ts', 'packages/socket/src/d.ts', 'e/f.ts'],
    [core, socket, root],
  );

  it('are packages, and what modules are in', () => {
    expect([...catalog.folderNames]).toEqual(['', 'core', 'core.a.b', 'core.a', 'e', 'socket.io']);
    expect(catalog.project.folders.map(({ name }) => name)).toEqual(['core', 'e', 'socket.io']);
    expect(catalog.folder('core')).toMatchObject({ index: { name: 'core' }, package: { label: 'core' }, modules: [] });
    expect(catalog.folder('core.a.b')?.modules.map(({ name }) => name)).toEqual(['core.a.b.c']);
  });
});
