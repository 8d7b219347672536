import { describe, expect, it } from 'vitest';
import type { SymbolOutline } from '../language/outline.ts';
import { typescriptOutline } from '../language/typescript-outline.ts';
import type { SourceModule } from '../modules/code-module.ts';
import { applyEdits } from '../language/text-spans.ts';
import { removeSymbol } from './replace-symbol.ts';

/** A text without one of its symbols. */
function without(text: string, name: string): string {
  const outline = typescriptOutline.outline({ text, path: 'a.ts' });
  const path: SymbolOutline[] = [];
  let within: readonly SymbolOutline[] = outline.symbols;
  for (const one of name.split('.')) {
    path.push(within.find((symbol) => symbol.name === one)!);
    within = path.at(-1)!.members;
  }
  const source = { text, outline } as SourceModule;
  return applyEdits(text, removeSymbol({ kind: 'symbol', source, path, passedOn: false }));
}

describe('a module without a symbol', () => {
  it.each([
    ['const a = 1;\nconst b = 2;\n', 'a', 'const b = 2;\n'],
    ['const a = 1;\n\nconst b = 2;\n', 'a', 'const b = 2;\n'],
    ['const a = 1;\n\nconst b = 2;\n', 'b', 'const a = 1;\n'],
    ['const a = 1;\n\nconst b = 2;\n\nconst c = 3;\n', 'b', 'const a = 1;\n\nconst c = 3;\n'],
    ['const a = 1;\r\n\r\nconst b = 2;\r\n', 'a', 'const b = 2;\r\n'],
    ['/** Doc. */\n@dec\nexport class A {}\nconst b = 2;', 'A', 'const b = 2;'],
    ['class A {\n  a() {}\n\n  b() {}\n}\n', 'A.a', 'class A {\n  b() {}\n}\n'],
    ['class A {\n  a() {}\n\n  b() {}\n}\n', 'A.b', 'class A {\n  a() {}\n}\n'],
    ['class A { a() {} b() {} }', 'A.a', 'class A {  b() {} }'],
    ['enum E {\n  A,\n  B,\n}\n', 'E.A', 'enum E {\n  B,\n}\n'],
    ['enum E { A, B }', 'E.A', 'enum E {  B }'],
    ['const o = {\n  a: 1,\n  b: 2\n};\n', 'o.b', 'const o = {\n  a: 1,\n};\n'],
    ['const o = { get a() { return 1; }, set a(v) {}, b: 1 };', 'o.a', 'const o = {  b: 1 };'],
    ['interface I {\n  a: string;\n  b: string;\n}\n', 'I.a', 'interface I {\n  b: string;\n}\n'],
    ['interface X {}\nconst a = 1;\nconst X = 1;\n', 'X', 'const a = 1;\n'],
    ['function f(a: 1): void;\nfunction f() {}\nconst b = 1;\n', 'f', 'const b = 1;\n'],
    ["import a from 'a';\nimport b from 'b';\n\nconst c = 1;\n", 'import', 'const c = 1;\n'],
  ])('%j without %s', (text, name, expected) => {
    expect(without(text, name)).toBe(expected);
  });
});
