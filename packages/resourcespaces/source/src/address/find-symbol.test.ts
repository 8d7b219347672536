import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { findSymbol } from './find-symbol.ts';
import { addressOf } from './target.ts';

async function find(
  files: Readonly<Record<string, string>>,
  module: string,
  name: string,
): Promise<string | undefined> {
  const index = new ModuleIndex(new WorkspaceRoot(temporaryFolder(files)));
  const catalog = await index.catalog();
  const source = await index.load(catalog.module(module)!);
  const found = await findSymbol(source, name.split('.'), { catalog, load: (one) => index.load(one) });
  return found && addressOf(found);
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
    expect(await find(files, 'a', 'default.run')).toBe('b.default.run');
    expect(await find(files, 'b', 'Named.run')).toBe('b.default.run');
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

  it('ends after many steps', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, number) => [`m${number}.ts`, `export * from './m${number + 1}';`]),
    );
    expect(await find({ ...files, 'm60.ts': 'export const x = 1;' }, 'm30', 'x')).toBe('m60.x');
    expect(await find({ ...files, 'm60.ts': 'export const x = 1;' }, 'm0', 'x')).toBeUndefined();
  });

  it('stops at what is not in the project', async () => {
    expect(await find({ 'a.ts': "export { z } from 'zod';\nexport * from 'zod';" }, 'a', 'z')).toBe('a.z');
    expect(await find({ 'a.ts': "export * from 'zod';" }, 'a', 'z')).toBeUndefined();
  });
});
