import { describe, expect, it } from 'vitest';
import { findNearestName, measureSimilarity } from './nearest-name.ts';

describe('similarity', () => {
  it.each([
    ['source', 'source', 1],
    ['Source', 'sOURCE', 1],
    ['', '', 1],
    ['abc', '', 0],
    ['opne', 'open', 0.75],
    ['sourc', 'source', 5 / 6],
    ['undo', 'read', 0],
  ])('of %s and %s is %d', (left, right, score) => {
    expect(measureSimilarity(left, right)).toBeCloseTo(score, 10);
  });
});

describe('nearestName', () => {
  it('suggests the most similar candidate', () => {
    expect(findNearestName('serch', ['read', 'search', 'starch'])).toBe('search');
  });

  it('prefers the first of equally similar candidates', () => {
    expect(findNearestName('cat', ['bat', 'rat'])).toBe('bat');
  });

  it('suggests nothing when nothing is alike enough', () => {
    expect(findNearestName('zzzzz', ['source', 'tasks'])).toBeUndefined();
    expect(findNearestName('serch', ['search'], 0.9)).toBeUndefined();
    expect(findNearestName('x', [])).toBeUndefined();
  });

  it('does not compare names of absurd length', () => {
    expect(findNearestName('a'.repeat(100_000), ['a'.repeat(100_000)])).toBeUndefined();
  });
});
