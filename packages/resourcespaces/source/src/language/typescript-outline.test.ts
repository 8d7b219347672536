import { describe, expect, it } from 'vitest';
import { outlineNames } from '../../test/outline-names.ts';
import { typescriptOutline } from './typescript-outline.ts';

const outline = (text: string, path = 'a.ts') => typescriptOutline.outline({ text, path });
/** The text of every declaration of the first symbol. */
const first = (text: string, path = 'a.ts') =>
  outline(text, path).symbols[0]?.declarations.map(({ start, end }) => text.slice(start, end));

describe('an outline', () => {
  it('has every kind of declaration', () => {
    const text = [
      'export class A {}',
      'export abstract class B {}',
      'export function f() {}',
      'export async function g() {}',
      'export const arrow = () => 1;',
      'export const value = 1;',
      'export let counter = 0;',
      'export interface I {}',
      'export type T = 1;',
      'export enum E { One, "two-three" }',
      'namespace N.M { export const inner = 1 }',
      'declare module "other" { export const x: number }',
      'declare global { interface Window {} }',
    ].join('\n');
    expect(outlineNames(text)).toEqual([
      'class A +',
      'class B +',
      'function f +',
      'function g +',
      'function arrow +',
      'constant value +',
      'variable counter +',
      'interface I +',
      'type T +',
      'enum E +',
      '  member One',
      '  member two-three',
      'namespace N',
      '  namespace M',
      '    constant inner',
      'namespace other',
      '  constant x',
      'namespace global',
      '  interface Window',
    ]);
  });

  it('has every kind of member', () => {
    const text = `class A {
      plain = 1; static count = 0; #secret = 2; declare typed: string; accessor auto = 1;
      'quoted-name'() {} 'two words'() {} 12() {} [Symbol.iterator]() {} [key]() {}
      constructor(private x: number) {} get a() { return 1 } set a(v) {} async *gen() {} abstract z(): void;
      handler = () => {}; static { } [index: string]: unknown;
    }`;
    expect(outlineNames(text).slice(1)).toEqual([
      '  property plain',
      '  property count',
      '  property #secret',
      '  property typed',
      '  property auto',
      '  method quoted-name',
      "  method ['two words']",
      '  method 12',
      '  method [Symbol.iterator]',
      '  method [key]',
      '  method constructor',
      '  accessor a',
      '  method gen',
      '  method z',
      '  property handler',
    ]);
  });

  it('has the members of interfaces, object types, objects and class expressions', () => {
    const text = `interface I { a: string; b(): void; get c(): number; (): void; [k: string]: unknown }
type T = { d: { e: string } };
const o = { f: 1, g() {}, h: () => 1, get i() { return 1 }, ...rest, deep: { j: 1 } } as const;
const C = class { k() {} };`;
    expect(outlineNames(text)).toEqual([
      'interface I',
      '  property a',
      '  method b',
      '  accessor c',
      'type T',
      '  property d',
      '    property e',
      'constant o',
      '  property f',
      '  method g',
      '  method h',
      '  accessor i',
      '  property deep',
      '    property j',
      'constant C',
      '  method k',
    ]);
  });

  it('has all names that a pattern binds', () => {
    expect(outlineNames('export const { a, b: [c, , d = 1], ...e } = load(), f = 2;')).toEqual([
      'constant a +',
      'constant c +',
      'constant d +',
      'constant e +',
      'constant f +',
    ]);
  });

  it('lists what a module exports by name, re-exports, and exports by default', () => {
    const text = `import x, { y as z } from './x';
export { late, z, x as default };
export { other as renamed } from './other';
export * as all from './all';
export * from './star';
const late = 1;`;
    const { symbols, stars } = outline(text);
    expect(outlineNames(text)).toEqual([
      'imports import',
      're-export all +',
      'constant late +',
      're-export z +',
      're-export default +',
      're-export renamed +',
    ]);
    expect(stars).toEqual(['./star']);
    expect(
      Object.fromEntries(symbols.flatMap(({ name, origin }) => (origin === undefined ? [] : [[name, origin]]))),
    ).toEqual({
      renamed: { specifier: './other', name: 'other' },
      all: { specifier: './all', name: '*' },
      z: { specifier: './x', name: 'y' },
      default: { specifier: './x', name: 'default' },
    });
  });

  it.each([
    ['export default class {}', 'class default +'],
    ['export default class Named {}', 'class default +'],
    ['export default function () {}', 'function default +'],
    ['export default () => 1', 'function default +'],
    ['export default { a: 1 }', 'default export default +'],
    ['export = thing;', 'default export default +'],
    ['module.exports = { a: 1 };', 'default export default +'],
    ['exports.name = () => 1;', 'function name +'],
    ['module.exports.name = 1;', 'default export name +'],
  ])('finds the export of %s', (text, expected) => {
    expect(outlineNames(text, text.includes('exports') ? 'a.cjs' : 'a.ts')[0]).toBe(expected);
  });

  it('has the properties of an object that is assigned to the exports, or to a symbol', () => {
    const text = `function hidden() {}
Object.assign(exports, { hidden, shown: 1, run() {} });
function Queue() {}
Object.assign(Queue.prototype, { add() {} });
const proto = Queue.prototype;
proto.size = function () {};
Object.assign(load(), { lost: 1 });
Object.freeze(exports, { lost: 1 });
`;
    expect(outlineNames(text, 'a.js')).toEqual([
      'function hidden +',
      'function Queue',
      '  method add',
      '  method size',
      'constant proto',
      'property shown +',
      'method run +',
    ]);
  });

  it('has no second declaration where a module of Node exports what it declares', () => {
    const text = 'exports.run = run;\nfunction run() {}\nexports.start = run;\n';
    expect(outlineNames(text, 'a.cjs')).toEqual(['function run +', 'default export start +']);
    expect(first(text, 'a.cjs')).toEqual(['function run() {}']);
  });

  it('passes on everything of a module that is required as the whole export', () => {
    expect(outline("module.exports = require('./b');", 'a.cjs')).toMatchObject({ stars: ['./b'] });
    expect(outline("exports.b = require('./b');\nmodule.exports = load('./c');", 'a.cjs')).toMatchObject({ stars: [] });
  });

  it('has the imports at the top as one block, and no more than these', () => {
    expect(first("import a from 'a';\nimport b from 'b';\nrun();\nimport c from 'c';\nexport * from 'd';")).toEqual([
      "import a from 'a';\nimport b from 'b';",
    ]);
    expect(first("export * from 'd';\nimport a from 'a';\nconst b = a;\nimport c from 'c';")).toEqual([
      "import a from 'a';",
    ]);
  });

  it('puts overloads, accessors and merged declarations together', () => {
    expect(first('function f(a: string): void;\nfunction f(a: number): void;\nfunction f() {}')).toHaveLength(3);
    expect(first('interface X {}\nexport const X = 1;\nnamespace X { export type Y = 1 }')).toHaveLength(3);
    expect(outlineNames('class A {}\nnamespace A { export const b = 1 }')).toEqual(['class A', '  constant b']);
  });

  it('has what is put on a function of the module', () => {
    expect(outlineNames('export const route = () => 1;\nroute.get = () => 2;\nunknown.x = 1;')).toEqual([
      'function route +',
      '  method get',
    ]);
  });

  it.each([
    ['/** Doc. */\nexport const a = 1;', '/** Doc. */\nexport const a = 1;'],
    ['/** Doc. */\n@dec({ a: 1 })\nexport class A {}', '/** Doc. */\n@dec({ a: 1 })\nexport class A {}'],
    ['@dec export class A {}', '@dec export class A {}'],
    ['export @dec class A {}', 'export @dec class A {}'],
    ['/** Doc. */\n// lint\nconst a = 1', '/** Doc. */\n// lint\nconst a = 1'],
    ['/** @module m */\n\nexport const a = 1', 'export const a = 1'],
    ['// note\nconst a = 1;', 'const a = 1;'],
    ['/* plain */\nconst a = 1;', 'const a = 1;'],
    ['run(); /** about run */\nconst a = 1;', 'const a = 1;'],
    ['\uFEFF/** Doc. */\nconst a = 1;', '/** Doc. */\nconst a = 1;'],
    ['#!/usr/bin/env node\nconst é = "😀", b = 1;', 'const é = "😀", b = 1;'],
  ])('takes the doc comment and decorators of %j with it', (text, expected) => {
    expect(first(text)).toEqual([expected]);
  });

  it.each([
    ['/** About the class. It does much. */\nexport class A {}', 'About the class'],
    ['// About the file.\n// More.\nimport x from "y";\n/** Not this. */\nexport class A {}', 'About the file'],
    ['/** Own. */\nconst a = 1;\n/** Exported. */\nexport const b = 2;', 'Exported'],
    ['/** @file All of {@link A | a} thing. */\nimport "x";\n/** Not this. */\nexport class A {}', 'All of A thing'],
    ['// eslint-disable\nexport class A {}', ''],
    ['export class A {}', ''],
  ])('takes the first sentence of %j', (text, doc) => {
    expect(outline(text).doc).toBe(doc);
  });

  it.each([
    ['a.tsx', 'export const a = <T,>(x: T) => <b>{x}</b>;'],
    ['a.jsx', 'export const a = <b/>;'],
    ['a.js', 'export const a = <b/>;'],
    ['a.cjs', 'const a = 1; return;'],
    ['a.mts', 'export const a: number = 1;'],
    ['a.cts', 'export const a: number = 1;'],
    ['a.d.ts', 'export declare const a: number;'],
  ])('reads %s', (path, text) => {
    expect(outline(text, path)).toMatchObject({ symbols: [{ name: 'a' }] });
    expect(outline(text, path).problem).toBeUndefined();
  });

  it('reports where a text is not well formed', () => {
    expect(outline('const a = 1;\nfunction (')).toMatchObject({
      symbols: [],
      problem: { line: 2, column: 10, message: 'Expected function name' },
    });
  });
});

describe('a piece of text', () => {
  const parse = (text: string, place: 'class' | 'interface' | 'enum' | 'object' | 'module') =>
    typescriptOutline.parse({ text, path: 'a.ts' }, place);

  it.each([
    ['class', 'run() {}', 'run'],
    ['interface', 'run(): void;', 'run'],
    ['enum', 'run = 1', 'run'],
    ['object', 'run() {}', 'run'],
    ['module', 'function run() {}', 'run'],
  ] as const)('is understood in a %s', (place, text, name) => {
    const { symbols, problem, offset } = parse(text, place);
    expect(problem).toBeUndefined();
    expect(symbols.map((symbol) => symbol.name)).toEqual([name]);
    expect(symbols[0]?.declarations[0]).toMatchObject({ start: offset, end: offset + text.length });
  });

  it('is understood in JavaScript too', () => {
    const { symbols, problem } = typescriptOutline.parse({ text: 'run() { super.run(); }', path: 'a.mjs' }, 'class');
    expect([problem, symbols[0]?.name]).toEqual([undefined, 'run']);
  });

  it('cannot close what it stands in', () => {
    expect(parse('a() {} } class Evil { b() {}', 'class').problem).toMatchObject({ line: 1 });
    expect(parse('a: 1 }; evil({', 'object').problem).toBeDefined();
  });

  it('counts lines from its own first one', () => {
    expect(parse('a() {\n  const = 1;\n}', 'class').problem?.line).toBe(2);
  });
});

it.each([
  ['module', 'const a = `x\ny${b}z\n`, c = "d";', ['`x\ny${', '}z\n`', '"d"']],
  ['class', 'run() { return `\n`; }', ['`\n`']],
  ['object', 'a: `1\n2`', ['`1\n2`']],
  ['enum', 'A = "b"', ['"b"']],
  ['module', 'const = `', []],
] as const)('the values written as text in a %s: %j', (place, text, expected) => {
  const { literals } = typescriptOutline.parse({ text, path: 'a.ts' }, place);
  const inside = literals.filter(({ start, end }) => start >= 0 && end <= text.length);
  expect(inside.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});
