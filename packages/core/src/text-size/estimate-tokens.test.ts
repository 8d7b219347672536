import { describe, expect, it } from 'vitest';
import { estimateTokens, isWithinTokens } from './text-size.ts';

describe('estimateTokens', () => {
  it.each([
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['export function parseOutline(lines: readonly string[]): Outline {', 13],
    ['2026-11-23T05:55:08.123Z ERROR [db] connection refused (ECONNREFUSED 127.0.0.1:5432)', 35],
    ['{"id":12345,"name":"Ada","tags":["x","y"]}', 17],
    ['日本語のテキスト', 6],
  ])('is a little over the tokens of %j', (text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens * 0.9);
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 1.7);
  });

  it('counts a long indentation as hardly more than one', () => {
    expect(estimateTokens(`${' '.repeat(80)}x`)).toBeLessThan(4);
  });

  it('grows with the text, and stops early when enough is counted', () => {
    expect(estimateTokens('word '.repeat(1000))).toBeGreaterThan(900);
    expect(estimateTokens('word '.repeat(1_000_000), 500)).toBeLessThan(510);
  });

  it.each(['a', 'A', ' ', '\n', '-', '語', '😀', '9'])('takes time in proportion to a run of %j', (unit) => {
    expect(estimateTokens(unit.repeat(300_000))).toBeGreaterThan(100);
  });
});

describe('isWithinTokens', () => {
  it('compares the estimate with the limit', () => {
    expect(isWithinTokens('some words here', 10)).toBe(true);
    expect(isWithinTokens('some words here '.repeat(10), 10)).toBe(false);
  });

  const takeMegabytes = (characters: readonly string[]) => {
    for (const character of characters)
      expect(estimateTokens(character.repeat(10 * 1024 * 1024))).toBeGreaterThan(10_000);
  };
  it('takes words and signs of megabytes', () => takeMegabytes(['x', '\u4E2D']));
  it('takes words and signs of megabytes, of every kind', { tags: ['long'] }, () =>
    takeMegabytes(['x', 'X', '-', '9', ' ', 'é', '\u4E2D']),
  );
});
