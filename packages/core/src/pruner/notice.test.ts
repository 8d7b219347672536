import { describe, expect, it } from 'vitest';
import { describeRemoved, replaceByNotice, formatNotice } from './notice.ts';

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

describe('replaceByNotice', () => {
  it('does without the handle first, then without its end', () => {
    expect(text(41)).toBe('[pruned: blank lines; full: <R:result:7>]');
    expect(text(40)).toBe('[pruned: blank lines]');
    expect(text(20)).toBe('[pruned: blank lines');
    expect(text(0)).toBe('');
  });
});
