import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { toolContext } from '../../test/tool-context.ts';
import { CodeCatalog, type CodePackage } from '../modules/code-catalog.ts';
import { chooseModulePath } from './write-module.ts';

const FILES = { 'package.json': '{ "name": "shop" }', 'src/utils/url.ts': 'export const url = 1;\n' };
const USAGE =
  'Usage: write(target: string, overwrite: boolean = false, export: boolean = false, strict: boolean = false, test?: string, content: string)';
const isCode = (name: string, ending: string, tag: string) =>
  `ResourceError: '${name}' ends in .${ending}, and modules are named without ending (target: expected a new module).\n${USAGE}\nTry: ${tag}`;
const isNone = (name: string, tag: string) =>
  `ResourceError: '${name}' is the name of a file that is no code, and write makes modules (target: expected a new module).\n${USAGE}\nTry: ${tag}`;

describe('a new module that is called after a file', () => {
  it.each([
    ['utils.pathy.ts', isCode('utils.pathy.ts', 'ts', '<W:utils.pathy>…</W>')],
    ['app.jsx', isCode('app.jsx', 'jsx', '<W:app>…</W>')],
    ['utils.url.mjs', isCode('utils.url.mjs', 'mjs', '<R:utils.url>')],
    ['utils.url.test.ts', isCode('utils.url.test.ts', 'ts', '<W:utils.url.test>…</W>')],
    ['package.json', isNone('package.json', '<source.config.R:package>')],
    ['tsconfig.build.json', isNone('tsconfig.build.json', '<source.config.R:tsconfig.build>')],
    ['readme.md', isNone('readme.md', '@home()')],
    ['data.places.json', isNone('data.places.json', '@home()')],
  ])('is refused as %s', async (name, result) => {
    const { write, send } = openSource(FILES);
    expect(await write(name, 'export const a = 1;')).toBe(result);
    expect(await send('<G:**>')).toBe('utils.url');
  });

  it('is replaced when it is there', async () => {
    const { send, content } = openSource({ 'lang/ts.ts': '', 'lang.ts': '' });
    expect(await send('<W:lang.ts overwrite=true>\nexport const a = 1;\n</W>')).toContain('Replaced module');
    expect([content('lang/ts.ts'), content('lang.ts')].toSorted()).toEqual(['', 'export const a = 1;\n']);
  });
});

it('a path is refused with an address that has no ending', async () => {
  const { send } = openSource({ ...FILES, 'src/utils/old.js': '', 'src/utils/old.ts': '' });
  expect(await send('<R:utils/url.ts>')).toContain('\nTry: <R:utils.url>');
  expect(await send('<R:utils/url.js>')).toContain('\nTry: <R:utils.url>');
  expect(await send('<R:utils/old.js>')).toContain('\nTry: <R:utils.old.js>');
});

describe('the path of a new module', () => {
  const { definition } = toolContext('write');
  const root: CodePackage = { label: '', name: undefined, folder: '', description: '' };
  const core: CodePackage = { label: 'core', name: '@x/core', folder: 'packages/core', description: '' };
  const at = (address: string, paths: readonly string[], packages = [root]) =>
    chooseModulePath({ address, definition }, new CodeCatalog(paths, packages));

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
