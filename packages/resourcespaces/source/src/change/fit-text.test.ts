import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitText, trimText } from './fit-text.ts';

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
