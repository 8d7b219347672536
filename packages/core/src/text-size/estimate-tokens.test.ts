import fc from 'fast-check';
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

  it.each([
    ['rare ideographs', '䏰䰲䘃䖦䕸𧉧䵷䖳𧲱䳢𧳅㮕䜶䝄', 45],
    ['a table of ideographs', '亞亠亢亰亳亶从仍仄仆仂仗', 21],
    ['Ethiopic', 'ዩናይትድ ስቴትስ ጀርመን ፈረንሳይ', 39],
    ['Tifinagh', 'ⵉⵡⵓⵏⴰⴽ ⵎⵓⵏⵏⵉⵏ ⵏ ⵎⵉⵔⵉⴽⴰⵏ', 60],
    ['Cherokee', 'ᏌᏊ ᎢᏳᎾᎵᏍᏔᏅ ᏍᎦᏚᎩ', 41],
    ['pictures', '🧬🪐🫠🦖🪴🧵', 18],
  ])('is hardly less than the tokens of %s', (_what, text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens * 0.9);
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 1.5);
  });

  it.each(['今天天气很好，我们去公园散步。', '東京は日本の首都です。', '안녕하세요 반갑습니다', 'Привет, как дела?'])(
    'weighs a letter of %j as one token at most',
    (text) => expect(estimateTokens(text)).toBeLessThanOrEqual(text.length * 1.1 + 3),
  );

  it('weighs ASCII alone as in a text with other letters', () => {
    // The weights of short runs are cached.
    const long = ['Responsibilities', '/UNCOPYRIGHTABLE', ' '.repeat(16), '-=+*'.repeat(4)];
    const short = [' ', '\n', '\r\n', '\t', '-', '/', '==', '_', 'a', 'Word', 'HTTP', 'jqx', '12', '3456'];
    const texts = fc.array(fc.constantFrom(...long, ...short)).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        expect(estimateTokens(`${text}\né`)).toBe(estimateTokens(`${text}\n`) + estimateTokens('é'));
      }),
    );
  });

  it('counts a long word that follows no blank as more than others', () => {
    expect(estimateTokens('/ampersand')).toBeGreaterThan(estimateTokens(' ampersand'));
    expect(estimateTokens('==ampersand')).toBeGreaterThan(estimateTokens('== ampersand'));
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
  it('takes words and signs of megabytes', { tags: ['long'] }, () => takeMegabytes(['x', '\u4E2D']));
  it('takes words and signs of megabytes, of every kind', { tags: ['long'] }, () =>
    takeMegabytes(['x', 'X', '-', '9', ' ', 'é', '\u4E2D']),
  );
});
