import { describe, expect, it } from 'vitest';
import { parseSearch, toSearchable, toStorable } from './search-text.ts';

describe('parseSearch', () => {
  it.each([
    ['', '', []],
    ['  \n\t ', '', []],
    ['login', '"login" *', []],
    ['fix login', '"fix" "login" *', []],
    ['quick-note', '"quick-note" *', []],
    ['one AND two', '"one" "AND" "two" *', []],
    ['say "hello there', '"say" """hello" "there" *', []],
    ['NEAR(a b)', '"NEAR(a"', ['%b)%']],
    ['a*', '', ['%a*%']],
    ['C++ code', '"code" *', ['%C++%']],
    ['++ --', '', ['%++%', '%--%']],
    ['100% a_b', '"100%"', [String.raw`%a\_b%`]],
    ['%', '', [String.raw`%\%%`]],
    [String.raw`_\ `, '', [String.raw`%\_\\%`]],
    ['日本語 naïve', '"naïve" *', ['%日本語%']],
    ['日本abc', '', ['%日本abc%']],
    ['ошибка', '"ошибка" *', []],
    ['😀😀😀', '', ['%😀😀😀%']],
    ['×÷×÷', '', ['%×÷×÷%']],
    ['\u{1df00}\u{1df01}\u{1df02}', '', ['%\u{1df00}\u{1df01}\u{1df02}%']],
    ['ab\0c', '"ab\ufffdc" *', []],
    ['abc\ud800', '"abc\ufffd" *', []],
  ])('reads %j', (text, match, patterns) => {
    expect(parseSearch(text)).toEqual({ match, exact: match.replace(/ \*$/, ''), patterns });
  });

  it('has an end', () => {
    const { match, patterns } = parseSearch('word '.repeat(100_000));
    expect(match.split(' ').length).toBeLessThanOrEqual(64);
    expect(patterns).toEqual([]);
    expect(parseSearch('x'.repeat(1_000_000)).match).toBe(`"${'x'.repeat(200)}" *`);
  });
});

describe('toSearchable', () => {
  it('keeps up to 10,000 characters', () => {
    const text = 'x'.repeat(10_000);
    expect(toSearchable(text)).toEqual({ content: text, meta: {} });
  });

  it('cuts what is longer, and keeps its length', () => {
    expect(toSearchable('x'.repeat(10_001))).toEqual({
      content: 'x'.repeat(10_000),
      meta: { truncated: true, original_length: 10_001 },
    });
  });

  it('cuts no character in two', () => {
    const { content } = toSearchable(`x${'😀'.repeat(6000)}`);
    expect(content).toBe(`x${'😀'.repeat(4999)}`);
    expect(toSearchable('😀'.repeat(6000)).content).toBe('😀'.repeat(5000));
  });
});

describe('toStorable', () => {
  it('replaces what SQLite cannot hold', () => {
    expect(toStorable('a\0b\ud800c\udc00 😀')).toBe('a\ufffdb\ufffdc\ufffd 😀');
  });
});
