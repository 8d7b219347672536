import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

/** Reads what has the name of the package, beside tests that have a variable of that name. */
async function readOwnName(manifest: object, ...paths: readonly string[]): Promise<string> {
  const { send } = openSource({
    'package.json': JSON.stringify({ name: 'log-it', ...manifest }),
    'test.js': "const log = require('./src');\nlog();\n",
    'test/all.test.js': "const log = require('..');\nlog();\n",
    ...Object.fromEntries(paths.map((path) => [path, '/** The main one. */\nexport const level = 1;\n'])),
  });
  return (await send('<R:log-it>')).split('\n')[0]!;
}

describe('the name of the package', () => {
  it.each([
    [{ main: './src/main.js' }, 'main -- The main one (1 constant)'],
    [{ main: 'src/main' }, 'main -- The main one (1 constant)'],
    [{ exports: { '.': { types: './src/main.d.ts', import: './dist/main.js' } } }, 'main -- The main one (1 constant)'],
    [{ exports: './dist/main.js', main: './none.js' }, 'main -- The main one (1 constant)'],
  ])('is its main module: %j', async (manifest, first) => {
    expect(await readOwnName(manifest, 'src/main.js', 'src/other.js')).toBe(first);
  });

  it('is the project if its main module is unknown', async () => {
    const { send } = openSource({ 'package.json': '{ "name": "log-it", "main": "made/later.js" }', 'src/main.js': '' });
    expect(await send('<R:log-it>')).toBe(await send('<R:>'));
  });

  it('is no variable of a test', async () => {
    const { send } = openSource({
      'package.json': '{ "name": "shop", "main": "lib/shop.js" }',
      'lib/shop.js': 'exports.open = () => 1;\n',
      'test.js': "const shop = require('./');\nshop.open();\n",
    });
    expect(await send('<R:shop>')).toMatch(/^lib\.shop \(/);
  });
});
