import { openSource } from '../../test/open-source.ts';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import { findSymbol } from './find-by-name.ts';
import { formatAddress } from './target.ts';

async function find(
  files: Readonly<Record<string, string>>,
  module: string,
  name: string,
): Promise<string | undefined> {
  const root = new WorkspaceRoot(temporaryFolder(files));
  const base = new CodeBase(root, new ModuleIndex(root));
  const source = await base.index.load((await base.catalog()).module(module)!);
  const found = await findSymbol(base, source, name.split('.'));
  return found && formatAddress(found);
}

describe('looking for a symbol', () => {
  it('follows a name from module to module, whatever it is called on the way', async () => {
    const files = {
      'a.ts': "export { two as one } from './b';",
      'b.ts': "import { three as x } from './c';\nexport { x as two };",
      'c.ts': 'function three() {}\nexport { three };',
    };
    expect(await find(files, 'a', 'one')).toBe('c.three');
  });

  it('follows what is imported as a whole, and what is a default', async () => {
    const files = {
      'a.ts': "import * as b from './b';\nimport Thing from './b';\nexport { b, Thing as default };",
      'b.ts': 'export const inner = { deep: 1 };\nexport default class Named { run() {} }',
    };
    expect(await find(files, 'a', 'b.inner.deep')).toBe('b.inner.deep');
    expect(await find(files, 'a', 'default.run')).toBe('b.Named.run');
    expect(await find(files, 'b', 'Named.run')).toBe('b.Named.run');
    expect(await find(files, 'a', 'b')).toBe('a.b');
  });

  it.each([
    ['of two', { 'a.ts': "export * from './b';", 'b.ts': "export * from './a';" }],
    ['of names', { 'a.ts': "export { x } from './b';", 'b.ts': "export { x } from './a';" }],
    ['of one', { 'a.ts': "export * from './a';" }],
  ])('ends in a circle %s', async (_what, files: Record<string, string>) => {
    // What leads nowhere is where it is written.
    expect(await find(files, 'a', 'x')).toBe('b.ts' in files && files['a.ts']!.includes('{') ? 'b.x' : undefined);
  });

  it('goes through as many modules as it takes, one behind the other', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, number) => [`m${number}.ts`, `export * from './m${number + 1}';`]),
    );
    expect(await find({ ...files, 'm60.ts': 'export const x = 1;' }, 'm0', 'x')).toBe('m60.x');
  });

  it('looks into all modules that an index passes on, however many these are', async () => {
    const numbers = Array.from({ length: 120 }, (_, number) => number);
    const files = Object.fromEntries(numbers.map((number) => [`parts/p${number}.ts`, `export const x${number} = 1;`]));
    const index = numbers.map((number) => `export * from './parts/p${number}';`).join('\n');
    expect(await find({ ...files, 'all.ts': index }, 'all', 'x119')).toBe('parts.p119.x119');
    expect(await find({ ...files, 'all.ts': index }, 'all', 'x120')).toBeUndefined();
  });

  it('looks into a module once, though many pass it on and all pass on one another', async () => {
    const numbers = Array.from({ length: 12 }, (_, number) => number);
    const all = numbers.map((number) => `export * from './m${number}';`).join('\n');
    const files = Object.fromEntries(numbers.map((number) => [`m${number}.ts`, all]));
    expect(await find({ ...files, 'm11.ts': `${all}\nexport const x = 1;` }, 'm0', 'x')).toBe('m11.x');
    expect(await find(files, 'm0', 'x')).toBeUndefined();
  });

  it.each([
    ['exports what it declares', 'function x() {}\nexports.x = x;', 'a.x'],
    ['passes on a whole module', "module.exports = require('./b');", 'b.x'],
  ])('understands that a module of Node %s', async (_what, text, expected) => {
    expect(await find({ 'a.cjs': text, 'b.cjs': 'exports.x = () => 1;' }, 'a', 'x')).toBe(expected);
  });

  it('stops at what is not in the project', async () => {
    expect(await find({ 'a.ts': "export { z } from 'zod';\nexport * from 'zod';" }, 'a', 'z')).toBe('a.z');
    expect(await find({ 'a.ts': "export * from 'zod';" }, 'a', 'z')).toBeUndefined();
  });
});

describe('what a CommonJS module is as a whole', () => {
  const FILES = {
    'lib/response.js':
      'const res = Object.create({});\nmodule.exports = res;\nres.send = function send() {\n  return 1;\n};\n',
    'lib/app.js': 'var app = exports = module.exports = {};\napp.init = function init() {};\n',
    'lib/express.js': 'exports = module.exports = create;\nfunction create() {}\n',
    'lib/application.js': 'module.exports = class Application {\n  listen() {}\n};\n',
  };

  it.each([
    ['lib.response.send', 'res.send = function send() {'],
    ['lib/response.js#send', 'res.send = function send() {'],
    ['lib.response.res.send', 'res.send = function send() {'],
    ['lib.app.init', 'app.init = function init() {};'],
    ['lib.express.default', 'function create() {}'],
    ['Application', 'module.exports = class Application {'],
    ['lib.application.Application.listen', '  listen() {}'],
  ])('has %s', async (address, first) => {
    const { send } = openSource(FILES);
    expect((await send(`<R:${address}>`)).split('\n')[0]).toBe(first);
  });
});
