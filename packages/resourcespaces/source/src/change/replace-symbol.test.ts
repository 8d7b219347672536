import { describe, expect, it } from 'vitest';
import { applyEdits, type SymbolOutline } from '../language/outline.ts';
import { typescriptOutline } from '../language/typescript-outline.ts';
import type { SourceModule } from '../modules/code-catalog.ts';
import { fitText, removeSymbol, trimText } from './place-symbol.ts';
import fc from 'fast-check';

const fit = (text: string, indent: string, lineBreak = '\n') => fitText(text, { indent, lineBreak }, []);

describe('a text in its place', () => {
  it.each([
    ['a() {\n  b();\n}', '  ', 'a() {\n    b();\n  }'],
    ['    a() {\n      b();\n    }', '  ', 'a() {\n    b();\n  }'],
    ['  a() {\n    b();\n  }', '  ', 'a() {\n    b();\n  }'],
    ['a() {\n    b();\n  }', '  ', 'a() {\n    b();\n  }'],
    ['a() {\n\n  b();\n}', '\t', 'a() {\n\n\t  b();\n\t}'],
    ['    a() {\n  b();\n}', '  ', 'a() {\nb();\n}'],
    ['a =\n  b;', '  ', 'a =\n    b;'],
    ['a:\n  (b) =>\n  (c) => {\n    d();\n  }', '  ', 'a:\n    (b) =>\n    (c) => {\n      d();\n    }'],
  ])('%j after %j is %j', (text, indent, expected) => {
    expect(fit(text, indent)).toBe(expected);
  });

  it('ends its lines as lines end there', () => {
    expect(fit('a {\n  b\r\n}', '', '\r\n')).toBe('a {\r\n  b\r\n}');
  });

  it('keeps what is inside of values', () => {
    const text = 'a = `\nb\n  c`;';
    expect(fitText(text, { indent: '    ', lineBreak: '\n' }, [{ start: 5, end: 11 }])).toBe(text);
  });

  it('is moved back to where it was by moving it there and back', () => {
    const line = fc.tuple(fc.nat(3), fc.constantFrom('x', 'y;', '}')).map(([depth, code]) => '  '.repeat(depth) + code);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), fc.constantFrom('', '  ', '    ', '\t'), (lines, indent) => {
        const text = ['x {', ...lines, '}'].join('\n');
        const there = indent + fit(text, indent);
        expect(fit(there, '')).toBe(text);
      }),
    );
  });
});

it('leaves empty lines around a text out', () => {
  expect(trimText('\n  \n  a\n\n  b\n\n')).toBe('  a\n\n  b');
});

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
