import { countUnits } from '@bae/core/pipeline';
import { WorkspaceRoot } from '@bae/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typescriptOutline } from '../language/typescript-outline.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { getSymbolText, renderSymbolRow, TextLines } from './read-symbol.ts';

const outline = (text: string) => typescriptOutline.outline({ text, path: 'a.tsx' });
/** The row of the first symbol of a text. */
const row = (text: string) => renderSymbolRow(outline(text).symbols[0]!, { text }, new TextLines(text));

describe('the row of a symbol', () => {
  it.each([
    ['export class A<T> extends B<T> implements C, D {}', '1: class A<T> extends B<T> implements C, D'],
    ['export abstract class A {}', '1: abstract class A'],
    ['export async function f<T>(\n  a: string,\n): Promise<T> {}', '1: async function f<T>( a: string, ): Promise<T>'],
    ['declare function f(a: 1): void;', '1: function f(a: 1): void'],
    ['const f = async (a: number): Promise<void> => {};', '1: const f = async (a: number): Promise<void>'],
    ['const f = function named(a) {};', '1: const f = function named(a)'],
    ['const o: Options = { a: 1 };', '1: const o: Options'],
    ['const o = { a: 1 } as const;', '1: const o'],
    ['let n = 1 + 2;', '1: let n = 1 + 2'],
    ['const { a, b } = load();', '1: const a'],
    ['type T = {\n  a: 1;\n};', '1: type T = { a: 1; }'],
    ['interface I<T> extends J {}', '1: interface I<T> extends J'],
    ['const enum E { A }', '1: const enum E'],
    ['namespace N.M {}', '1: namespace N.M'],
    ['declare module "x" {}', '1: module "x"'],
    ['export default class extends B {}', '1: default class B'],
    ['export default class Named {}', '1: default class Named'],
    ['export default function () {}', '1: default function ()'],
    ["export { a, b as c } from './x';", "1: export { a, b as c } from './x'"],
    ['/** About it. More. */\n\nfunction f() {}', '3: function f()  -- About it'],
    ['function f(a: 1): void;\nfunction f(a: 2): void;\nfunction f() {}', '1: function f(a: 1): void (3 declarations)'],
    [`const long = ${'x + '.repeat(100)}y;`, `1: const long = ${'x + '.repeat(33)}…`],
  ])('%j', (text, expected) => {
    expect(row(text)).toBe(expected);
  });

  it('of the imports has their lines', () => {
    expect(row("import a from 'a';\nimport b from 'b';\n")).toBe('1: import  -- lines 1-2');
  });
});

it(
  'reading a symbol costs a tenth of reading its file, in the middle of all symbols of long files',
  { tags: ['long'] },
  async () => {
    const index = new ModuleIndex(new WorkspaceRoot(new URL('../../../../core', import.meta.url).pathname));
    const { modules } = await index.catalog();
    const shares: number[] = [];
    for (const module of modules) {
      const source = await index.load(module);
      if (source.lines <= 200) continue;
      const whole = countUnits(source.text);
      for (const symbol of source.outline.symbols) {
        for (const one of [symbol, ...symbol.members]) shares.push(countUnits(getSymbolText(source.text, one)) / whole);
      }
    }
    expect(shares.length).toBeGreaterThan(200);
    expect(shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)]).toBeLessThanOrEqual(0.1);
  },
);

describe('the lines of a text', () => {
  it('are found by index and by number', () => {
    const lines = new TextLines('one\r\ntwo\n\nfour');
    expect(lines.all).toEqual(['one\r\n', 'two\n', '\n', 'four']);
    expect([0, 4, 5, 8, 9, 10, 99].map((index) => lines.lineAt(index))).toEqual([1, 1, 2, 2, 3, 4, 4]);
    expect([1, 2, 3, 4, 5].map((line) => lines.startOf(line))).toEqual([0, 5, 9, 10, 14]);
  });

  it('of an empty text are none', () => {
    const lines = new TextLines('');
    expect([lines.all, lines.lineAt(0), lines.startOf(1)]).toEqual([[], 1, 0]);
  });

  it('hold every index between their beginnings', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r') }), fc.nat(), (text, at) => {
        fc.pre(text !== '');
        const index = at % text.length;
        const lines = new TextLines(text);
        const line = lines.lineAt(index);
        expect(lines.startOf(line)).toBeLessThanOrEqual(index);
        expect(index).toBeLessThan(lines.startOf(line) + lines.all[line - 1]!.length);
      }),
    );
  });
});
