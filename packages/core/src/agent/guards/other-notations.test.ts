import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listDecoded } from './call-guards.ts';

/** Texts that take at least 16 characters in each notation, in any script. */
const texts = fc
  .string({ unit: 'grapheme', minLength: 8, maxLength: 100 })
  .filter((text) => !/[\p{C}\uFFFD]/u.test(text) && Buffer.byteLength(text) >= 12);

describe('what is in a text as base64 or hexadecimal', () => {
  it.each(['base64', 'base64url', 'hex'] as const)('is found in any script: %s', (notation) => {
    const check = (text: string) => listDecoded(`data=${Buffer.from(text).toString(notation)} and more`).includes(text);
    fc.assert(fc.property(texts, check));
    for (const text of ['日本語のテキスト', '🎉 eight of them 🎉', '\tindented by a tab'])
      expect(check(text)).toBe(true);
  });

  it('is not seen in words, paths and hashes', () => {
    const words = 'packages/core/src/agent/guards someLongIdentifierName 3f786850e387550fdab836ed7e6dc881de23001b';
    expect(listDecoded(words)).toEqual([]);
  });
});
