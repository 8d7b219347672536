import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitted, padded, textWidth } from './text-width.ts';

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本語', 6],
    ['한글', 4],
    ['🙂', 2],
    ['✅', 2],
    ['ＡＢ', 4],
    ['e\u0301', 1],
    ['─│◆…', 4],
    ['Ä', 1],
  ])('of %j is %i', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe('fitted', () => {
  it('leaves what fits', () => {
    expect(fitted('abc', 3)).toBe('abc');
  });

  it('never cuts a wide character in two', () => {
    expect(fitted('日本語', 5)).toBe('日本…');
    expect(fitted('日本語', 4)).toBe('日…');
  });

  it('is never wider than the columns there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, columns) => {
        expect(textWidth(fitted(text, columns))).toBeLessThanOrEqual(columns);
        expect(textWidth(padded(text, columns))).toBe(columns);
      }),
    );
  });
});
