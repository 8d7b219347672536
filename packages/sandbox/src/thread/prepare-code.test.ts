import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { CodeError } from './code-error.ts';
import { blankFence, isPlainCode, loadTypeRemover, prepareCode } from './prepare-code.ts';

const NOT_ASYNC = 'a function that is not async: write async before it, or a for (… of …) in its place';

beforeAll(loadTypeRemover);

describe('prepareCode', () => {
  it.each([
    ['const a: number = 1', 'var   a = 1'],
    ['let a: string, b = 2, { c } = d', 'var a = undefined, b = 2, { c } = d'],
    ['let a: string\n(b)', 'var a = undefined;\n(b)'],
    ['let a = 1, b;\n[c]', 'var a = 1, b = undefined;\n[c]'],
    ['var a', 'var a'],
    ['let a; (function (a) {})(1)', 'var a = undefined; (function (a) {})(1)'],
    ['class A<T> extends B {}', 'var A = class A extends B {};'],
    ['class P {} class Q {}', 'var P = class P {}; var Q = class Q {};'],
    ['class A {}\n[new A()]', 'var A = class A {};\n[new A()]'],
    ['function f(this: X, a?: number): void {}', 'function f( a) {}'],
    ['for (let i = 0; ;) { const inner = i }', 'for (let i = 0; ;) { const inner = i }'],
    ['{ let inner = 1 }', '{ let inner = 1 }'],
    ['export const a = 1', '       var   a = 1'],
    ['export function f() {}', '       function f() {}'],
    ['export class A {}', '       var A = class A {};'],
    ['export { a }\n(b)', ';           \n(b)'],
    ['export default a + 1', '              ;( a + 1);'],
    ['export default (a)\n  .b;', '              ;( (a)\n  .b);'],
    ['export default { a: 1, b: 2 }', '              ;( { a: 1, b: 2 });'],
    ['export default class {}\n[a]', '              ;( class {});\n[a]'],
    ['export default function () {}', '              ;( function () {});'],
    ['export default class A {}', '               var A = class A {};'],
    ['export default function f() {}', '               function f() {}'],
    ['import type { A } from "a"; let b: A', ' var b = undefined;'],
    ['a!.b as C', 'a.b '],
    ['a ? (b) : c => c', 'a ? (b) : c => c'],
    ['new Set<string>([1])', 'new Set([1])'],
    ['f<string>(a) > 1', 'f(a) > 1'],
    ['f<A<B<C>>>`a`', 'f`a`'],
    ['f<A>\n(a)', 'f\n(a)'],
    ['a < b && b > (c)', 'a < b && b > (c)'],
    ['a < b; b > (c) ? (d) : e => e', 'a < b; b > (c) ? (d) : e => e'],
    ['```ts\nconst a: number = 1\n```', '\nvar   a = 1\n'],
  ])('makes a script of %s', (code, script) => {
    expect(prepareCode(code).script.trimEnd()).toBe(script.trimEnd());
  });

  it.each([
    ['const a = await read("a.ts")', true],
    ['```js\nlist.filter((n) => n > (a ? 1 : 2))\n```', true],
    ['for (let i = 0; i < 3; i++) print(i)', true],
    ['const a: string = 1', false],
    ['new Map<string, number>()', false],
    ['new Set<string>(all)', false],
    ['tag<A>`b`', false],
    ['a b', false],
  ])('knows whether %j is JavaScript: %s', (code, expected) => {
    expect(isPlainCode(code)).toBe(expected);
  });

  it.each([
    ['1 + 1', true],
    ['a; ;', true],
    ['await f()', true],
    ['(a, b)', true],
    ['i++', true],
    ['a = 1', false],
    ['(a = 1)', false],
    ['a += 1', false],
    ['const a = 1', false],
    ['if (a) b', false],
    ['', false],
    ['// nothing', false],
    ['a\nfunction f() {}', false],
    ['export default 5', true],
    ['export default (a = 5)', false],
    ['export default class {}', false],
    ['export default function () {}', false],
  ])('checks whether %s ends in a value: %s', (code, shows) => {
    expect(prepareCode(code).shows).toBe(shows);
  });

  it('begins an enumeration anew, and adds to it within the same code', () => {
    const { script } = prepareCode('enum A { B }\nexport enum A { C = 1 }\nvar D;');
    expect(script.match(/var \w+(?: = undefined)?;/g)).toEqual(['var A = undefined;', 'var A;', 'var D;']);
  });

  it('keeps every line where it was', () => {
    const lines = [
      'const a: number = 1',
      'interface A {\n  a: string\n}',
      'type B = { b: A } &\n  string',
      'class C {\n  constructor(private readonly c: A) {}\n}',
      'export const d = (e: B): e is B =>\n  true',
      'enum F {\n  G,\n  H = "h"\n}',
      'import type { I } from "i"',
      'function j<K>(\n  l: K,\n): void {}',
      'const m = async () =>\n  ({\n    n: 1,\n  })',
      'try {\n} catch ({\n  message,\n}) {\n}',
      'export default {\n  o: 1,\n}',
      'class P\n{\n  async q() {\n  }\n}',
      'let r: string',
      'mark',
    ];
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...lines)), (parts) => {
        const code = [...parts, 'last()'].join('\n');
        const { script } = prepareCode(code);
        expect(script.split('\n')).toHaveLength(code.split('\n').length);
        expect(script.split('\n').at(-1)).toBe('last()');
      }),
    );
  });

  it.each([
    ['a\nb ++ c', 'Unexpected token, expected ";"', 2],
    ['const x = "', 'Unterminated string constant', 1],
    ['let a = 1\nlet a = 2', "Identifier 'a' has already been declared", 2],
    ['\n\nreturn', 'return outside of a function: the value of the last line is shown by itself', 3],
    ['f(a => {\n  await b(a)\n})', `await in ${NOT_ASYNC}`, 2],
    ['const a = b as number < 2', 'put parentheses around what stands before <: (value as Type) < other', 1],
    ['await = 1', 'Unexpected token', 1],
    ['function foo() {', 'the code ends before the { of line 1 is closed', 1],
    ['if (a) {\n  read("x"\n', 'the code ends before the ( of line 2 is closed', 3],
    ['a\n`b ${c}\n', 'the code ends before the ` of line 2 is closed', 2],
    ['a\n/* b', 'the code ends before the /* of line 2 is closed', 2],
    ['`a ${b', 'the code ends before the ${ of line 1 is closed', 1],
    ['const a = ;\nfunction b() {', 'Unexpected token; the { of line 2 is not closed', 1],
    ['a)(', 'Unexpected token, expected ";"', 1],
    [`async () => {${'{'.repeat(1600)}${'}'.repeat(1600)}${'('.repeat(5000)}`, 'the code is nested too deeply', 1],
    ['```ts\na\nb ++ c\n```', 'Unexpected token, expected ";"', 3],
    ['const a = b as Map<number, string> = ;', 'Unexpected token', 1],
    ['export * from "b"', 'there is nothing to import: code reaches tools only', 1],
    ['a\nimport b from "b"; b', 'there is nothing to import: code reaches tools only', 2],
    ['a\nnamespace NS { export const k = 3 }\nNS.k', 'namespaces are not supported here: use an object', 2],
    ['// namespace A {\nexport namespace A.B\n{ }', 'namespaces are not supported here: use an object', 2],
    ['`\nnamespace A {`\nmodule A { }', 'namespaces are not supported here: use an object', 3],
    ['if (a) {\n  namespace A { a() }\n}', 'namespaces are not supported here: use an object', 2],
    [`${'('.repeat(100_000)}1`, 'the code is nested too deeply', 1],
    [`1\n${'['.repeat(100_000)}1`, 'the code is nested too deeply', 1],
  ])('reports what is wrong with %.40s, and where', (code, message, line) => {
    const error = failureOf(() => prepareCode(code));
    expect(error).toBeInstanceOf(CodeError);
    expect(error).toMatchObject({ message, line });
  });

  it.each([
    'declare namespace A { const a: number }',
    'export declare  namespace A { const a: number }',
    'declare module "a" { }',
    'const namespace = 1\nnamespace\n{ a }',
    '"namespace A {"; `module A {` // namespace B { }',
    'a.namespace(b)\n{ module: 1 }',
    'type A = "namespace B {"',
    "type A = `module B {` | 'it\\'s namespace B {'",
    'interface A {\n  // namespace B {\n  /* module B { */\n  a: string\n}',
  ])('accepts code when no namespace is lost: %s', (code) => {
    expect(() => prepareCode(code)).not.toThrow();
  });

  it('looks for namespaces in time that grows with the code', () => {
    expect(prepareCode(`a${' '.repeat(400_000)}; namespace`).shows).toBe(true);
    expect(prepareCode(`/[${'"/*'.repeat(50_000)}]/; namespace`).shows).toBe(true);
  });

  it('describes what is wrong in time that grows with the code', () => {
    expect(failureOf(() => prepareCode(`) ${' as a<'.repeat(100_000)}>`))).toBeInstanceOf(CodeError);
  });

  it('refuses an operator in place of a tool, and only there', () => {
    for (const code of ['a\ndelete("x")', '\ndelete (a.b)', '\ndelete(f(a), b)'])
      expect(failureOf(() => prepareCode(code, ['delete']))).toMatchObject({ line: 2 });
    for (const code of [
      'delete a.b',
      'a.delete("x")',
      'a?.delete("x")',
      '"delete (x)"',
      'delete (a).b',
      'delete ((a))[b]',
    ])
      expect(prepareCode(code, ['delete']).script).toBe(code);
    expect(prepareCode('delete("x")').script).toBe('delete("x")');
  });
});

describe('blankFence', () => {
  it.each([
    ['```ts\na\n```', '\na\n'],
    ['\n```typescript\r\na\nb\n  ```\n\n', '\n\na\nb\n'],
    ['~~~\na\n~~~~', '\na\n'],
    ['````js\n```\n````', '\n```\n'],
    ['```\n```', '\n'],
  ])('leaves out that of %j', (code, inside) => {
    expect(blankFence(code)).toBe(inside);
  });

  it.each([
    'a',
    '',
    '```ts\na',
    '```ts\na\n~~~',
    '````\na\n```',
    'a\n```\nb\n```',
    '`a`\nb\n`c`',
    '``` a b c\n```',
    '```',
  ])('leaves %j as it is', (code) => {
    expect(blankFence(code)).toBe(code);
  });

  it('takes time that grows with the code', () => {
    const code = `\`\`\`ts\n${'\n `'.repeat(100_000)}`;
    expect(blankFence(code)).toBe(code);
    expect(blankFence(`\`\`\`${'\n'.repeat(100_000)}a`)).toContain('a');
  });
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
