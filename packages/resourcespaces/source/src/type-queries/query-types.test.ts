import { describe, expect, it } from 'vitest';
import type { SymbolTarget } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import { typescriptOutline } from '../language/typescript-outline.ts';
import { CodeCatalog } from '../modules/code-catalog.ts';
import { renderTypeError, findSymbolOffset } from './query-types.ts';

const TEXT = `import { x } from './x.ts';
/** The default of default values. */
export default function () {}
@dec() export class A<T> {
  static async *make() {}
  #state = 1;
  [Symbol.iterator]() {}
  'two words' = 2;
}
export const { a, b: c } = o;
export enum E { One, 'Two' }
export { c as d } from './x.ts';
namespace N.M { export const q = 1 }
`;

/** The text around the offset, with a bar at it. */
function placeOf(...names: readonly string[]): string {
  const outline = typescriptOutline.outline({ text: TEXT, path: 'a.ts' });
  const path: SymbolOutline[] = [];
  for (const name of names) {
    const all: readonly SymbolOutline[] = path.at(-1)?.members ?? outline.symbols;
    path.push(all.find((one) => one.name === name) as SymbolOutline);
  }
  const source = { module: { name: 'a' }, text: TEXT } as SymbolTarget['source'];
  const offset = findSymbolOffset({ kind: 'symbol', source, path, passedOn: false });
  const line = TEXT.slice(TEXT.lastIndexOf('\n', offset) + 1, TEXT.indexOf('\n', offset));
  const at = offset - TEXT.lastIndexOf('\n', offset) - 1;
  return `${line.slice(0, at)}|${line.slice(at)}`.trim();
}

describe('the place where a symbol is named', () => {
  it.each([
    [['A'], '@dec() export class |A<T> {'],
    [['A', 'make'], 'static async *|make() {}'],
    [['A', '#state'], '|#state = 1;'],
    [['a'], 'export const { |a, b: c } = o;'],
    [['c'], 'export const { a, b: |c } = o;'],
    [['E', 'Two'], "export enum E { One, '|Two' }"],
    [['d'], "export { c as |d } from './x.ts';"],
    [['N', 'M', 'q'], 'namespace N.M { export const |q = 1 }'],
    [['default'], 'export |default function () {}'],
  ])('%j is %s', (names, place) => {
    expect(placeOf(...names)).toBe(place);
  });

  it.each([[['import']], [['A', '[Symbol.iterator]']], [['A', "['two words']"]]])(
    'does not exist for %j, which has no name for the compiler',
    (names) => {
      expect(() => placeOf(...names)).toThrow('has no name that the compiler knows. Search for its text instead.');
    },
  );
});

const packages = [
  { label: 'core', name: '@x/core', folder: 'packages/core', description: '' },
  { label: '', name: undefined, folder: '', description: '' },
];
const catalog = new CodeCatalog(['packages/core/src/lib/a.ts', 'packages/core/src/index.ts'], packages, '/home/me/x');
const shown = (message: string) => renderTypeError({ code: 2322, message }, catalog);

describe('a message of the compiler', () => {
  it('has its number and its first line', () => {
    expect(shown("Type 'A' is wrong.\n  It has no b.")).toBe("TS2322: Type 'A' is wrong.");
  });

  it('names modules where it has paths', () => {
    expect(shown('Type \'import("/home/me/x/packages/core/src/lib/a").A\' is not "b".')).toBe(
      'TS2322: Type \'import("core.lib.a").A\' is not "b".',
    );
    expect(shown("File '/home/me/x/packages/core/src/index.ts' is no module, nor is '/home/me/x/notes.md'.")).toBe(
      "TS2322: File 'core' is no module, nor is 'notes.md'.",
    );
  });
});
