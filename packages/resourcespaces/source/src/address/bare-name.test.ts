import { describe, expect, it, vi } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { ModuleIndex } from '../modules/module-index.ts';

const OTHERS = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [`src/m${n}.ts`, `export const v${n} = '${'$name '.repeat(n)}';\n`]),
);

/** The result, and how many modules were parsed for it. */
async function readByName(address: string, files: Readonly<Record<string, string>> = {}) {
  const { send } = openSource({ ...OTHERS, ...files });
  using outlines = vi.spyOn(ModuleIndex.prototype, 'outlines');
  const result = await send(`<R:${address}>`);
  return { result, parsed: outlines.mock.calls.map(([modules]) => modules.length) };
}

describe('a name without its module', () => {
  it('is looked up in the modules that have it in their text', async () => {
    const { result, parsed } = await readByName('parseLine', {
      'src/lines.ts': 'export function parseLine() {}\n',
      'src/use.ts': "import { parseLine } from './lines.ts';\nparseLine();\n",
    });
    expect(result).toBe('export function parseLine() {}');
    expect(parsed).toEqual([1]);
  });

  it('is looked up where it is named at all when it is not declared in the usual way', async () => {
    const { result, parsed } = await readByName('second', {
      'src/pair.ts': 'export const {\n  first,\n  second,\n} = { first: 1, second: 2 };\n',
      'src/use.ts': "import { second } from './pair.ts';\nsecond;\n",
    });
    expect(result).toContain('second');
    expect(parsed).toEqual([0, 0, 2]);
  });

  it('is compared with all symbols when nothing has it', async () => {
    expect((await readByName('nothingLikeIt')).parsed.filter((modules) => modules > 0)).toEqual([30]);
  });

  it('is not looked for inside of functions where another word follows it', async () => {
    const { parsed } = await readByName('export', { 'src/word.ts': 'const a = 1; // to export is no declaration\n' });
    expect(parsed.filter((modules) => modules > 0)).toEqual([31]);
  });

  it.each([
    ['class Common extends Error {}', 'Common'],
    ['export interface Common<T> {}', 'Common'],
    ['export const {\n  Common\n} = it;', 'Common'],
    ['export function make() {\n  class Common extends Error {}\n}', 'Common'],
    ['export class Store {\n  Common = 1;\n}', 'Common'],
    ['export class Store {\n  Common /* first */ = 1;\n}', 'Common'],
    ['exports.Common = function () {};', 'Common'],
    ['export enum Level {\n  Common\n}', 'Common'],
    ["export default { 'Common': () => 1 };", 'Common'],
  ])('is found in %j', async (text, name) => {
    expect((await readByName(name, { 'src/it.ts': text })).result).toMatch(/^(?!\S*Error:)[^]*Common/);
  });

  it.each([
    '/** @typedef {string} Common what it is */',
    '/**\n * @typedef {{\n *   a: string\n * }} Common what it is\n */',
  ])('is found in %j', async (text) => {
    expect((await readByName('Common', { 'src/it.js': `${text}\nexport const a = 1;` })).result).toBe(text);
  });

  it('may have a character that means something to a search', async () => {
    const { result, parsed } = await readByName('$name', { 'src/dollar.ts': 'export const $name = 1;\n' });
    expect(result).toBe('export const $name = 1;');
    expect(parsed[0]).toBeLessThan(31);
  });

  it('that stands in very many lines is looked up in the modules that have them', async () => {
    const lines = 'const a = common;\n'.repeat(1001);
    const { result, parsed } = await readByName('common', {
      'src/many.ts': lines,
      'src/z.ts': 'export const [common] = [1];\n',
    });
    expect(result).toBe('export const [common] = [1];');
    expect(parsed).toEqual([0, 0, 2]);
  });
});
