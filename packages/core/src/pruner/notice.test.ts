import { describe, expect, it } from 'vitest';
import { describeRemoved, formatNotice, formatRest, replaceByNotice } from './notice.ts';

const text = (cap: number) => replaceByNotice('blank lines', 0, { ref: 'result:7', cap }).text;
const all = { total: 5, shown: 5 };
const some = { total: 300, shown: 163 };

describe('describeRemoved', () => {
  it.each([
    [{ items: all, headings: all, clipped: 0 }, ''],
    [{ items: some, headings: all, clipped: 0 }, '300 -> 163 items'],
    [{ items: all, headings: some, clipped: 0 }, '300 -> 163 headings'],
    [{ items: all, headings: all, clipped: 1 }, '1 long line clipped'],
    [{ items: all, headings: all, clipped: 3 }, '3 long lines clipped'],
    [{ items: some, headings: some, clipped: 2 }, '300 -> 163 items, 300 -> 163 headings, 2 long lines clipped'],
  ])('describes %j as %j', (counts, words) => {
    expect(describeRemoved(counts)).toBe(words);
  });
});

describe('formatNotice', () => {
  it('names the handle of the whole text when there is one', () => {
    expect(formatNotice('blank lines', undefined)).toBe('[pruned: blank lines]');
    expect(formatNotice('blank lines', 'result:7')).toBe('[pruned: blank lines; full: <R:result:7>]');
  });
});

describe('formatRest', () => {
  const lines = Array.from({ length: 60 }, (_, index) => (index % 10 === 9 ? '' : `line ${index + 1}`));
  const rest = (hidden: (number: number) => boolean, rows?: number) =>
    formatRest({ lines, isShown: (index) => !hidden(index + 1) }, 'result:1', rows);

  it('names the same lines as the marks of gaps, blank ones at their ends too', () => {
    expect(rest((n) => n > 12 && n < 31)).toBe('; rest: <R:result:1:13-30>');
    expect(rest((n) => n === 20)).toBe('');
  });

  it('names a few gaps exactly, and of many in a text all from the first to the last', () => {
    expect(rest((n) => n === 8 || (n > 20 && n < 25) || n > 50)).toBe('; rest: <R:result:1:8,21-24,51-60>');
    expect(rest((n) => n > 10 && n % 4 === 1)).toBe('; rest: <R:result:1:13-57>');
  });

  it('offers nothing where that would be almost the whole text, except for rows', () => {
    expect(rest((n) => n < 3 || n > 20)).toBe('');
    expect(rest((n) => n < 3 || n > 20, 12)).toBe('; rest: <R:result:1:1-2,21-60>');
  });

  it('joins the gaps between rows that are closest together if there are many', () => {
    expect(rest((n) => n % 4 === 1 && n !== 29, 12)).toBe('; rest: <R:result:1:1,5,9,13,17,21,25,33,37,41,45,49-57>');
  });
});

describe('replaceByNotice', () => {
  it('does without the handle first, then without its end', () => {
    expect(text(41)).toBe('[pruned: blank lines; full: <R:result:7>]');
    expect(text(40)).toBe('[pruned: blank lines]');
    expect(text(20)).toBe('[pruned: blank lines');
    expect(text(0)).toBe('');
  });
});
