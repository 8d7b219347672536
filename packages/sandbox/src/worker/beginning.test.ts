import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginning } from './beginning.ts';

describe('beginning', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['abc', 0, ''],
    ['a😀c', 2, 'a'],
    ['a😀c', 3, 'a😀'],
    ['\ud800\ud800', 1, ''],
  ])('of %j within %i is %j', (text, length, kept) => {
    expect(beginning(text, length)).toBe(kept);
  });

  it('is a beginning, within the length, without half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, length) => {
        const kept = beginning(text, length);
        expect(text.startsWith(kept)).toBe(true);
        expect(kept.length).toBeLessThanOrEqual(length);
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
  });
});
