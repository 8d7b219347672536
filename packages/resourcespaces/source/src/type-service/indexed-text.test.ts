import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineIndex } from './module-files.ts';

const LINES = fc.array(fc.oneof(fc.constantFrom('\n', '\r\n', '\r', '🙂', '\uFEFF'), fc.string()));

describe('LineIndex', () => {
  it('leads from every offset to its position and back', () => {
    fc.assert(
      fc.property(LINES, fc.nat(), (parts, seed) => {
        const text = `x${parts.join('')}`;
        const lines = new LineIndex(text);
        const offset = seed % (text.length + 1);
        expect(lines.offsetAt(lines.positionAt(offset))).toBe(offset);
      }),
    );
  });

  it('recognizes the three kinds of line ends', () => {
    const lines = new LineIndex('a\r\nb\rc\n');
    expect([0, 1, 2, 3, 4].map((line) => lines.lineText(line))).toEqual(['a', 'b', 'c', '', '']);
    expect(lines.positionAt(3)).toEqual({ line: 1, character: 0 });
    expect(lines.positionAt(7)).toEqual({ line: 3, character: 0 });
  });

  it('does not count a byte order mark', () => {
    const lines = new LineIndex('\uFEFFabc\nd');
    expect(lines.offsetAt({ line: 0, character: 0 })).toBe(1);
    expect(lines.positionAt(2)).toEqual({ line: 0, character: 1 });
    expect(lines.positionAt(0)).toEqual({ line: 0, character: 0 });
    expect(lines.lineText(0)).toBe('abc');
  });

  it('takes the nearest offset for a position that is not there', () => {
    const lines = new LineIndex('ab\ncd');
    expect(lines.offsetAt({ line: 0, character: 9 })).toBe(3);
    expect(lines.offsetAt({ line: 9, character: 0 })).toBe(5);
  });
});
