import { describe, expect, it } from 'vitest';
import { searchTerms } from './search-terms.ts';

describe('searchTerms', () => {
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
    expect(searchTerms(text)).toEqual({ match, patterns });
  });

  it('has an end', () => {
    const { match, patterns } = searchTerms('word '.repeat(100_000));
    expect(match.split(' ').length).toBeLessThanOrEqual(64);
    expect(patterns).toEqual([]);
    expect(searchTerms('x'.repeat(1_000_000)).match).toBe(`"${'x'.repeat(200)}" *`);
  });
});
