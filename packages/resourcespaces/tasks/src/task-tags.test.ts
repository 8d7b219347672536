import { describe, expect, it } from 'vitest';
import { asTag, changedTags, parseTags } from './task-tags.ts';

describe('asTag', () => {
  it.each([
    ['auth', 'auth'],
    ['UI', 'ui'],
    ['v1.2', 'v1.2'],
    ['größe', 'größe'],
    ['a_b/c-d', 'a_b/c-d'],
  ])('takes %j', (text, tag) => {
    expect(asTag(text)).toBe(tag);
  });

  it.each(['', ' ', 'a b', '-a', 'a,b', 'a+b', "a'b", 'a"b', 'a|b', 'a\nb', 'x'.repeat(41), '\0'])(
    'refuses %j',
    (text) => {
      expect(asTag(text)).toBeUndefined();
    },
  );
});

describe('changedTags', () => {
  const change = (before: readonly string[], words: readonly string[]) => changedTags(before, parseTags(words)!);

  it('puts plain tags in place of all others', () => {
    expect(change(['a', 'b'], ['c', 'A', 'c'])).toEqual(['a', 'c']);
    expect(change(['a'], [])).toEqual([]);
  });

  it('adds and removes those with a sign', () => {
    expect(change(['a', 'b'], ['+c', '-a', '+b', '-zzz'])).toEqual(['b', 'c']);
  });

  it('is confused by both at once', () => {
    expect(parseTags(['a', '+b'])).toBeUndefined();
    expect(parseTags(['+'])).toBeUndefined();
  });
});
