import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseModulePath } from './write-module.ts';
import type { ProjectPackage } from '@bae/project';
import { CodeCatalog } from '../modules/code-catalog.ts';
import { openSource } from '../../test/open-source.ts';
import { toolContext } from '../../test/tool-context.ts';

const MONOREPO = {
  'package.json': '{"workspaces":["packages/*"]}',
  'packages/core/package.json': '{"name":"@x/core"}',
  'packages/core/src/index.ts': "export { a } from './lib/a.ts';\n",
  'packages/core/src/lib/a.ts': 'export const a = 1;\n',
  'packages/core/test/b.ts': '',
  'packages/web/package.json': '{"name":"web"}',
  'packages/web/main.mjs': '',
  'scripts/build.js': '',
};
const open = () => openSource(MONOREPO);
const USAGE =
  'Usage: write(target: string, overwrite: boolean = false, export: boolean = false, as?: module|member, strict: boolean = false, test?: string, content: string)';

describe('writing a module', () => {
  it.each([
    ['core.lib.retry', 'packages/core/src/lib/retry.ts'],
    ['core.new-folder.deep.thing', 'packages/core/src/new-folder/deep/thing.ts'],
    ['core.lib.a.test', 'packages/core/src/lib/a.test.ts'],
    ['core.test.more', 'packages/core/test/more.ts'],
    ['web.view', 'packages/web/view.mjs'],
    ['scripts.deploy', 'scripts/deploy.js'],
    ['web', 'packages/web/index.mjs'],
  ])('creates %s', async (address, path) => {
    const { write, content, send } = open();
    expect(await write(address, '/** New. */\nexport const fresh = 1;')).toBe(`Created module ${address} (2 lines)`);
    expect(content(path)).toBe('/** New. */\nexport const fresh = 1;\n');
    expect(await send(`<R:${address}#fresh>`)).toBe('/** New. */\nexport const fresh = 1;');
  });

  it('starts at the folders of a project with one package', { tags: ['long'] }, async () => {
    const { write, content } = openSource({ 'src/lib/a.ts': '', 'test/a.js': '', 'src/b.ts': '' });
    await write('lib.core', 'export const a = 1;');
    await write('test.core', 'export const a = 1;');
    await write('fresh', 'export const a = 1;');
    for (const path of ['src/lib/core.ts', 'test/core.ts', 'src/fresh.ts'])
      expect(content(path)).toBe('export const a = 1;\n');
  });

  it('replaces one that is there only with overwrite=true, and keeps its line breaks and its mark', async () => {
    const { write, send, content } = openSource({ 'a.ts': '\uFEFFconst a = 1;\r\nconst b = 2;\r\n' });
    expect(await write('a', 'const c = 1;')).toBe(
      'ResourceError: a exists (2 lines). Use edit, or overwrite=true.\nTry: <R:a>\nTry: <W:a overwrite=true>…</W>',
    );
    expect(await send('<W:a overwrite=true>\nconst c = 1;\nconst d = 1;\nconst e = 1;\n</W>')).toBe(
      'Replaced module a (2 -> 3 lines)',
    );
    expect(content('a.ts')).toBe('\uFEFFconst c = 1;\r\nconst d = 1;\r\nconst e = 1;\r\n');
    expect(await send('<undo:>')).toBe('Undid write of a (3 -> 2 lines)');
    expect(content('a.ts')).toBe('\uFEFFconst a = 1;\r\nconst b = 2;\r\n');
  });

  it('takes no argument that is misspelt for a part of the name', async () => {
    const { send, folder } = openSource({ 'src/a.ts': '' });
    expect(await send('<W:b over=true>\nexport const b = 1;\n</W>')).toBe(
      `EditError: 'b over=true' is not a name of a module. Use letters, digits and hyphens.
(the whole text "b over=true" was read as target; over is no parameter)
Try: <W:b>export const b = 1;</W>
Try: <R:>`,
    );
    expect(readdirSync(join(folder, 'src'))).toEqual(['a.ts']);
  });

  it('exports it from the index of its folder with export=true, as the index writes it', async () => {
    const { sendAll, send, content } = openSource({
      'src/index.ts': 'export { a } from "./a.js";\n',
      'src/a.ts': 'export const a = 1;\n',
    });
    expect(await send('<W:b export=true>\nexport const b = 1;\nexport interface C {}\nconst own = 1;\n</W>')).toBe(
      'Created module b (3 lines)\nExported it from index: export { b, type C } from "./b.js";',
    );
    expect(content('src/index.ts')).toBe('export { a } from "./a.js";\nexport { b, type C } from "./b.js";\n');
    expect(await sendAll('<undo:>')).toEqual([
      'Undid edit of index (1 -> 0 lines)\nUndid write of b (the new file is gone)',
    ]);
    expect(content('src/index.ts')).toBe('export { a } from "./a.js";\n');
  });

  it('exports no type of a comment from an index of JavaScript, which could not be read any more', async () => {
    const { send, content } = openSource({
      'index.js': "export { a } from './a.js';\n",
      'a.js': 'export const a = 1;\n',
    });
    const text = '/** @typedef {string} Id */\nexport const b = 1;';
    expect(await send(`<W:b export=true>\n${text}\n</W>`)).toContain(
      "Exported it from index: export { b } from './b.js';",
    );
    expect(content('index.js')).toBe("export { a } from './a.js';\nexport { b } from './b.js';\n");
    expect(await send('<W:c export=true>\n/** @typedef {string} Key */\n</W>')).toContain('c exports nothing by name');
  });

  it.each([
    [
      'core.lib.x export=true',
      'export const x = 1;',
      'EditError: there is no index beside core.lib.x that could export it. Leave out export=true.\nTry: <W:core.lib.x>…</W>',
    ],
    [
      'core.y export=true',
      'const y = 1;',
      'EditError: core.y exports nothing by name. Leave out export=true.\nTry: <W:core.y>…</W>',
    ],
    [
      'core.lib.x',
      'const = 1;',
      'ParseError: the text of core.lib.x does not parse: line 1, column 7: Unexpected token. Nothing was written.\nTry: <W:core.lib.x>…</W>',
    ],
    [
      'nowhere.x',
      '',
      `ResourceError: 'nowhere' is not a package of this project (target: expected an address that begins with a package). Packages: core, web.\n${USAGE}\nTry: <R:>`,
    ],
    [
      'core.lib.a.fresh',
      'const other = 1;',
      'EditError: the text does not define fresh, but other. Write it under the name that it defines, or with as=module as a new module. Nothing was changed.\nTry: <W:core.lib.a.other>…</W>',
    ],
    [
      'core.lib.a.a',
      'x',
      'ResourceError: core.lib.a.a exists. Use edit, or overwrite=true.\nTry: <R:core.lib.a.a>\nTry: <E:core.lib.a.a>…</E>',
    ],
    [
      '../new.ts',
      '',
      `ResourceError: '../new.ts' is not a path in the project (target: expected a new module).\n${USAGE}\nTry: <R:>`,
    ],
    [
      'packages/core/notes.md',
      '',
      `ResourceError: 'packages/core/notes.md' ends in .md, and write makes modules (target: expected a new module).\n${USAGE}\nTry: <home.W:packages/core/notes.md>…</home.W>`,
    ],
  ])('refuses %s and writes nothing', { tags: ['long'] }, async (address, body, result) => {
    const { write, send } = open();
    expect(await write(address, body)).toBe(result);
    expect(await send('<undo:>')).toBe('Nothing to undo: no change of this session is left.');
  });

  it('refuses to replace what has changed since it was shown', async () => {
    const { send, change } = open();
    await send('<R:core.lib.a>');
    change('packages/core/src/lib/a.ts', 'export const b = 1;\n');
    expect(await send('<W:core.lib.a overwrite=true>\nconst c = 1;\n</W>')).toContain(
      'ConflictError: core.lib.a changed since you read it',
    );
  });
});

const FILES = { 'package.json': '{ "name": "shop" }', 'src/utils/url.ts': 'export const url = 1;\n' };
const isCode = (name: string, ending: string, tag: string) =>
  `ResourceError: '${name}' ends in .${ending}, and modules are named without ending (target: expected a new module).\n${USAGE}\nTry: ${tag}`;
const isNone = (name: string, tag: string) =>
  `ResourceError: '${name}' is the name of a file that is no code, and write makes modules (target: expected a new module).\n${USAGE}\nTry: ${tag}`;

describe('a new module that is called after a file', () => {
  it.each([
    ['utils.pathy.ts', isCode('utils.pathy.ts', 'ts', '<W:utils.pathy>…</W>')],
    ['utils.url.mjs', isCode('utils.url.mjs', 'mjs', '<R:utils.url>')],
    ['utils.url.test.ts', isCode('utils.url.test.ts', 'ts', '<W:utils.url.test>…</W>')],
    ['package.json', isNone('package.json', '<source.config.R:package>')],
    ['tsconfig.build.json', isNone('tsconfig.build.json', '<source.config.R:tsconfig.build>')],
    ['readme.md', isNone('readme.md', '<home.W:readme.md>…</home.W>')],
    ['data.places.json', isNone('data.places.json', '<home.W:data.places.json>…</home.W>')],
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

it.each([
  ['packages/core/src/lib/fresh.ts', 'core.lib.fresh', 'packages/core/src/lib/fresh.ts'],
  ['./packages/web/view', 'web.view', 'packages/web/view.ts'],
  ['main.mjs', 'main', 'main.mjs'],
  ['core.src.fresh', 'core.src.fresh', 'packages/core/src/fresh.ts'],
])('a path makes a module too: %s', async (path, name, file) => {
  const { write, content } = open();
  expect(await write(path, 'export const fresh = 1;')).toBe(`Created module ${name} (1 line)`);
  expect(content(file)).toBe('export const fresh = 1;\n');
});

describe('writing a symbol', () => {
  const QUEUE = `export default class Queue {
  #items = [];

  add(item) {
    this.#items.push(item);
  }

  #next() {}
}
export interface Options {
  size: number;
}
export enum Mode { Fast }
const table = {
  a: 1,
};
class Empty {}
`;
  it.each([
    [
      'queue.Queue.drain',
      '/** All. */\ndrain() {\n  return [];\n}',
      '  add(item) {\n    this.#items.push(item);\n  }\n\n  /** All. */\n  drain() {\n    return [];\n  }\n\n  #next() {}',
    ],
    ['Queue.drain', 'drain() {}', '  }\n\n  drain() {}\n\n  #next() {}'],
    ['queue.default.#last', '#last = 1;', '  #next() {}\n  #last = 1;\n}'],
    ['queue.Options.name', 'name?: string;', '  size: number;\n  name?: string;\n}'],
    ['queue.Mode.Slow', 'Slow', '{ Fast,\nSlow }'],
    ['queue.table.b', 'b: 2', '  a: 1,\n  b: 2,\n};'],
    ['queue.Empty.only', 'only() {}', 'class Empty {\n  only() {}\n}'],
    ['queue.size', 'export function size() {}', 'class Empty {}\n\nexport function size() {}\n'],
  ])('adds %s', async (address, text, expected) => {
    const { write, content, send } = openSource({ 'src/queue.ts': QUEUE, 'src/other.ts': '' });
    expect(await write(address, text)).toMatch(/^Added \S+ to queue/);
    expect(content('src/queue.ts')).toContain(expected);
    expect(await send('<undo:>')).toContain('Undid edit');
    expect(content('src/queue.ts')).toBe(QUEUE);
  });

  it('makes a module with as=module, and replaces a symbol with overwrite=true', async () => {
    const { write, content } = openSource({ 'src/queue.ts': QUEUE });
    expect(await write('queue.part as=module', 'export const part = 1;')).toBe('Created module queue.part (1 line)');
    await write('queue.table overwrite=true', 'const table = {};');
    expect(content('src/queue.ts')).toContain('const table = {};\nclass Empty');
  });
});

describe('the path of a new module', () => {
  const { definition } = toolContext('write');
  const root: ProjectPackage = { label: '', name: undefined, folder: '', description: '' };
  const core: ProjectPackage = { label: 'core', name: '@x/core', folder: 'packages/core', description: '' };
  const at = (address: string, paths: readonly string[], packages = [root]) =>
    chooseModulePath({ address, definition }, new CodeCatalog(paths, { packages }));

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
    expect(() => at('a.b', ['packages/core/src/x.ts'], [core, root])).toThrow("'a' is not a package of this project");
  });
});
