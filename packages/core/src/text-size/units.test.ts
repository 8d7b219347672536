import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCodePoints, takeFirstUnits, isWithinUnits, takeLastUnits, countUnits } from './text-size.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', 'é', 'ш', '語', '😀', '\n', '\ud800', '\udc00', '\u{10ffff}') });

/** The definition, written the slow way. */
const slowUnits = (text: string) =>
  Array.from(text).reduce(
    (sum, point) => sum + (point.codePointAt(0)! < 0x80 ? 1 : point.codePointAt(0)! < 0x800 ? 2 : 4),
    0,
  );

describe('units', () => {
  it.each([
    ['', 0],
    ['abc\n', 4],
    ['é', 2],
    ['語', 4],
    ['😀', 4],
    ['\ud800', 4],
    ['\udc00', 4],
  ])('of %j are %i', (text, size) => {
    expect(countUnits(text)).toBe(size);
  });

  it('are the sum over code points for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countUnits(text)).toBe(slowUnits(text));
      }),
    );
  });
});

describe('fits', () => {
  it('is true for a text within a size', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, max) => {
        expect(isWithinUnits(text, max)).toBe(slowUnits(text) <= max);
      }),
    );
  });
});

describe('takeFirstUnits and lastUnits', () => {
  it('take the longest whole code points that fit', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, max) => {
        const points = Array.from(text);
        const head = Array.from(takeFirstUnits(text, max));
        expect(head).toEqual(points.slice(0, head.length));
        expect(slowUnits(head.join(''))).toBeLessThanOrEqual(max);
        if (head.length < points.length)
          expect(slowUnits(points.slice(0, head.length + 1).join(''))).toBeGreaterThan(max);
        const tail = takeLastUnits(text, max);
        expect(text.endsWith(tail)).toBe(true);
        expect(countUnits(tail)).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('never cut a pair of surrogates in two', () => {
    expect(takeFirstUnits('😀😀', 7)).toBe('😀');
    expect(takeLastUnits('😀😀', 7)).toBe('😀');
  });
});

describe('codePoints', () => {
  it('counts a pair of surrogates once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countCodePoints(text)).toBe(Array.from(text).length);
      }),
    );
  });
});
