import { describe, expect, it } from 'vitest';
import {
  applyTagChange,
  formatPriority,
  getLevel,
  getParentPriority,
  parsePriority,
  parseTag,
  parseTags,
} from './task-fields.ts';

describe('parsePriority', () => {
  it.each(['0.0.0', '1', '9', '1.0.0', '1.2.0', '1.2.3', '1.0.3', '999999.0.0'])('reads %s', (text) => {
    expect(formatPriority(parsePriority(text)!)).toBe(text);
  });

  it.each([
    ['p2', '2'],
    ['high', '1'],
    ['Medium', '2'],
    ['0', '0.0.0'],
    ['1.0', '1'],
    ['1.2', '1.2.0'],
  ])('reads %s as %s', (text, priority) => {
    expect(formatPriority(parsePriority(text)!)).toBe(priority);
  });

  it.each([
    '',
    '0.1',
    '1.',
    '1.0.0.0',
    '-1.0.0',
    '1.-1.0',
    'a.b.c',
    '1.0.x',
    ' 1.0.0',
    '1000000.0.0',
    '1,0,0',
    '١.0.0',
  ])('refuses %j', (text) => {
    expect(parsePriority(text)).toBeUndefined();
  });

  it.each(['0.1.0', '0.0.1', '0.2.3'])('refuses %s, which is of no major', (text) => {
    expect(parsePriority(text)).toBeUndefined();
  });
});

describe('getLevel', () => {
  it.each([
    ['0.0.0', 'unclassified'],
    ['2.0.0', 'major'],
    ['2.1.0', 'minor'],
    ['2.1.7', 'patch'],
    ['2.0.7', 'patch'],
  ])('makes %s a task that is %s', (text, level) => {
    expect(getLevel(parsePriority(text)!)).toBe(level);
  });
});

describe('parseTag', () => {
  it.each([
    ['auth', 'auth'],
    ['UI', 'ui'],
    ['v1.2', 'v1.2'],
    ['größe', 'größe'],
    ['a_b/c-d', 'a_b/c-d'],
  ])('takes %j', (text, tag) => {
    expect(parseTag(text)).toBe(tag);
  });

  it.each(['', ' ', 'a b', '-a', 'a,b', 'a+b', "a'b", 'a"b', 'a|b', 'a\nb', 'x'.repeat(41), '\0'])(
    'refuses %j',
    (text) => {
      expect(parseTag(text)).toBeUndefined();
    },
  );
});

describe('applyTagChange', () => {
  const change = (before: readonly string[], words: readonly string[]) => applyTagChange(before, parseTags(words)!);

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

describe('getParentPriority', () => {
  it.each([
    ['0.0.0', undefined],
    ['1.0.0', undefined],
    ['1.2.0', { major: 1, minor: 0, patch: 0 }],
    ['1.2.3', { major: 1, minor: 2, patch: 0 }],
    ['1.0.3', { major: 1, minor: 0, patch: 0 }],
  ])('of %s is %j', (text, parent) => {
    expect(getParentPriority(parsePriority(text)!)).toEqual(parent);
  });
});
