import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextLines } from './read-symbol.ts';

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
