import { describe, expect, it } from 'vitest';
import { WordIndex } from './word-index.ts';

const index = new WordIndex(
  [
    { name: ['file'], text: ['file', 'read'] },
    { name: ['folder'], text: ['read', 'read', 'read', 'read', 'read', 'read'] },
    { name: ['page'], text: ['read', 'file', 'page', 'one', 'two', 'three'] },
  ],
  { name: 3, text: 1 },
);

const findStrengths = (word: string) => new Map(index.find(word).map((one) => [one.document, one.strength]));

describe('WordIndex', () => {
  it('finds the documents that contain a word in any field', () => {
    expect(Array.from(findStrengths('file').keys())).toEqual([0, 2]);
    expect(index.find('nothing')).toEqual([]);
    expect([index.has('page'), index.has('nothing')]).toEqual([true, false]);
  });

  it('counts a word more in a field with a higher weight, and less in a longer one', () => {
    const strengths = findStrengths('read');
    expect(findStrengths('page').get(2)).toBeGreaterThan(strengths.get(2)!);
    expect(strengths.get(0)).toBeGreaterThan(strengths.get(2)!);
  });

  it('counts repetitions less and less', () => {
    const [once, sixTimes] = [findStrengths('read').get(2)!, findStrengths('read').get(1)!];
    expect(sixTimes).toBeGreaterThan(once);
    expect(sixTimes).toBeLessThan(6 * once);
  });

  it('takes a word for rare that few documents contain', () => {
    expect(index.measureRarity('folder')).toBeGreaterThan(index.measureRarity('file'));
    expect(index.measureRarity('read')).toBeLessThan(0.2);
  });
});
