import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundError, cutText } from './messages.ts';

describe('cutText', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['abc', 0, ''],
    ['a😀c', 2, 'a'],
    ['a😀c', 3, 'a😀'],
    ['\ud800\ud800', 1, ''],
  ])('of %j within %i is %j', (text, length, kept) => {
    expect(cutText(text, length)).toBe(kept);
  });

  it('returns a prefix, within the length, without half a character', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, length) => {
        const kept = cutText(text, length);
        expect(text.startsWith(kept)).toBe(true);
        expect(kept.length).toBeLessThanOrEqual(length);
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('boundError', () => {
  it('leaves an error of the usual size as it is', () => {
    const error = { name: 'TypeError', message: 'bad', stack: '    at f (block-1:1:1)\n' };
    expect(boundError(error)).toEqual(error);
  });

  it('keeps the beginning of one that is too long, and gives the length of the message', () => {
    const { name, message, stack } = boundError({
      name: 'n'.repeat(1e6),
      message: 'm'.repeat(5e6),
      stack: 's'.repeat(1e6),
    });
    expect(message).toBe(`${'m'.repeat(4000)}… (5000000 characters)`);
    expect([name.length, stack.length]).toEqual([100, 100_000]);
  });
});
