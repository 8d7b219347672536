import { describe, expect, it } from 'vitest';
import { compareNames, nearestName } from './nearest-name.ts';

describe('compareNames', () => {
  it.each([
    ['source', 'source', 1],
    ['Source', 'sOURCE', 1],
    ['', '', 1],
    ['abc', '', 0],
    ['opne', 'open', 0.75],
    ['sourc', 'source', 5 / 6],
    ['undo', 'read', 0],
  ])('of %s and %s is %d', (left, right, score) => {
    expect(compareNames(left, right)).toBeCloseTo(score, 10);
  });
});

describe('nearestName', () => {
  it('suggests the most similar candidate', () => {
    expect(nearestName('serch', ['read', 'search', 'starch'])).toBe('search');
  });

  it('prefers the first of equally similar candidates', () => {
    expect(nearestName('cat', ['bat', 'rat'])).toBe('bat');
  });

  it('suggests nothing when nothing is alike enough', () => {
    expect(nearestName('zzzzz', ['source', 'tasks'])).toBeUndefined();
    expect(nearestName('serch', ['search'], 0.9)).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
  });

  it('does not compare names of absurd length', () => {
    expect(nearestName('a'.repeat(100_000), ['a'.repeat(100_000)])).toBeUndefined();
  });
});
