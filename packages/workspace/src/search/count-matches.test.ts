import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MatchingFiles } from './count-matches.ts';

describe('MatchingFiles', () => {
  it('counts all and keeps the first by path, whatever the order', () => {
    const files = fc.uniqueArray(
      fc.record({ path: fc.string({ maxLength: 3 }), matches: fc.integer({ min: 1, max: 9 }) }),
      {
        selector: ({ path }) => path,
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 5 }), (all, kept) => {
        const found = new MatchingFiles(kept);
        for (const file of all) found.add(file);
        expect(found.first()).toEqual(all.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, kept));
        expect(found.files).toBe(all.length);
        expect(found.matches).toBe(all.reduce((sum, { matches }) => sum + matches, 0));
      }),
    );
  });

  it('takes a file out of the count', () => {
    const found = new MatchingFiles(2);
    for (const path of ['a', 'b']) found.add({ path, matches: 3 });
    found.remove(found.first()[0]!);
    expect([found.files, found.matches]).toEqual([1, 3]);
  });
});
