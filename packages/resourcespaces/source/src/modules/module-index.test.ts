import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { ModuleIndex } from './module-index.ts';

function openIndex(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(files);
  const index = new ModuleIndex(new WorkspaceRoot(folder));
  return {
    index,
    write: (path: string, text: string) => writeFileSync(join(folder, path), text),
    folder,
    names: async () => (await index.catalog()).modules.map(({ name }) => name),
    symbols: async () => {
      const { modules } = await index.catalog();
      return [...(await index.outlines(modules)).values()].flatMap(({ symbols }) => symbols.map(({ name }) => name));
    },
  };
}

describe('the index of a project', () => {
  it('has the modules that git would keep, with every ending', async () => {
    const files = ['a.ts', 'b.tsx', 'c.js', 'd.jsx', 'e.mts', 'f.cts', 'g.mjs', 'h.cjs', 'i.d.ts'];
    const { index, names } = openIndex({
      ...Object.fromEntries(files.map((file) => [file, 'export {}'])),
      '.gitignore': 'out\n',
      'out/x.ts': '',
      'dist/x.ts': '',
      'node_modules/y/index.js': '',
      'readme.md': '',
    });
    expect(await names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i.d']);
    expect((await index.catalog()).module('i.d')?.declares).toBe(true);
  });

  it('sees what was added, changed, renamed and removed from outside', async () => {
    const { write, folder, names, symbols } = openIndex({ 'a.ts': 'export const a = 1;' });
    expect(await symbols()).toEqual(['a']);
    write('b.ts', 'export const b = 1;');
    write('a.ts', 'export const c = 1;');
    expect(await symbols()).toEqual(['c', 'b']);
    rmSync(join(folder, 'a.ts'));
    expect(await names()).toEqual(['b']);
  });

  it('sees a change of the same length and time', async () => {
    const { write, folder, symbols } = openIndex({ 'a.ts': 'export const a = 1;' });
    utimesSync(join(folder, 'a.ts'), 1, 1);
    expect(await symbols()).toEqual(['a']);
    write('a.ts', 'export const b = 1;');
    utimesSync(join(folder, 'a.ts'), 1, 1);
    expect(await symbols()).toEqual(['b']);
  });

  it('names modules anew when the packages change', async () => {
    const { write, folder, names } = openIndex({
      'package.json': '{}',
      'p/a/src/x.ts': '',
      'p/a/package.json': '{"name":"@x/first"}',
    });
    expect(await names()).toEqual(['p.a.src.x']);
    write('package.json', '{"workspaces":["p/*"]}');
    expect(await names()).toEqual(['first.x']);
    mkdirSync(join(folder, 'p/b'));
    write('p/b/package.json', '{"name":"second"}');
    write('p/b/y.ts', '');
    expect(await names()).toEqual(['first.x', 'second.y']);
  });

  it('keeps an outline as long as the content is the same', async () => {
    const { index, folder } = openIndex({ 'a.ts': 'export const a = 1;' });
    const [module] = (await index.catalog()).modules;
    const before = (await index.load(module!)).outline;
    utimesSync(join(folder, 'a.ts'), 5, 5);
    await index.catalog();
    expect((await index.outlines([module!])).get(module!)).toBe(before);
  });

  it('leaves out what cannot be read, and a text that is too large to look into', async () => {
    const { index } = openIndex({
      'a.ts': 'export const a = 1;',
      'binary.ts': 'a\0b',
      'large.ts': `//${'x'.repeat(2_000_001)}\nconst a = 1`,
    });
    const { modules } = await index.catalog();
    const outlines = await index.outlines(modules);
    expect([...outlines].map(([{ name }, { problem }]) => `${name}: ${problem?.message ?? 'fine'}`)).toEqual([
      'a: fine',
      'large: it is too large to look into (2000015 characters; at most 2000000)',
    ]);
  });

  it('stops when it is aborted', async () => {
    const { index } = openIndex({ 'a.ts': '' });
    const { modules } = await index.catalog();
    await expect(index.outlines(modules, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });

  it('lets others work between modules that take long', { tags: ['long'] }, async () => {
    const lines = Array.from({ length: 4000 }, (_, number) => `export function f${number}() { return [${number}]; }`);
    const files = Array.from(
      { length: 24 },
      (_, number) => [`m${number}.ts`, `${lines.join('\n')}\n// ${number}`] as const,
    );
    let turn = 0;
    const turns = new Set<number>();
    const root = new WorkspaceRoot(temporaryFolder(Object.fromEntries(files)));
    const index = new ModuleIndex(root, { onProgress: () => turns.add(turn) });
    const { modules } = await index.catalog();
    let next = setImmediate(function count() {
      turn++;
      next = setImmediate(count);
    });
    await index.outlines(modules);
    clearImmediate(next);
    // Eight are read at once, and may be there in one turn of the event loop.
    expect(turns.size).toBeGreaterThan(2);
  });
});

const TWENTY = Object.fromEntries(
  Array.from({ length: 20 }, (_, number) => [`m${number}.ts`, `export const a${number} = 1;`]),
);

function openReporting() {
  const reported: (readonly [number, number])[] = [];
  const index = new ModuleIndex(new WorkspaceRoot(temporaryFolder(TWENTY)), {
    onProgress: (...step) => reported.push(step),
  });
  return { index, reported };
}

describe('progress of the index', () => {
  it('is reported module by module, and at the end once', async () => {
    const { index, reported } = openReporting();
    const { modules } = await index.catalog();
    expect(reported).toEqual([]);
    await index.outlines(modules);
    expect(reported).toEqual(Array.from({ length: 20 }, (_, number) => [number + 1, 20]));
  });

  it('has an end when it is broken off', async () => {
    const { index, reported } = openReporting();
    const { modules } = await index.catalog();
    const stop = new AbortController();
    await index.outlines(modules.slice(0, 1));
    const looking = index.outlines(modules, stop.signal);
    stop.abort(new Error('enough'));
    await expect(looking).rejects.toThrow('enough');
    await new Promise((resolve) => setImmediate(resolve));
    expect(reported.at(-1)).toEqual([reported.at(-1)?.[1], reported.at(-1)?.[1]]);
  });
});
