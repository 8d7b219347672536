import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MatchCounter } from './count-matches.ts';

describe('MatchCounter', () => {
  it('counts all and sorts them by path, whatever the order', () => {
    const files = fc.uniqueArray(
      fc.record({ path: fc.string({ maxLength: 3 }), matches: fc.integer({ min: 1, max: 9 }) }),
      {
        selector: ({ path }) => path,
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(files, (all) => {
        const found = new MatchCounter({ pattern: 'hit' });
        for (const file of all) found.add(file);
        expect(found.sorted()).toEqual(all.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
        expect(found.sorted().length).toBe(all.length);
        expect(found.matches).toBe(all.reduce((sum, { matches }) => sum + matches, 0));
      }),
    );
  });

  it('takes a file out of the count', () => {
    const found = new MatchCounter({ pattern: 'hit' });
    for (const path of ['a', 'b']) found.add({ path, matches: 3 });
    found.remove(found.sorted()[0]!);
    expect([found.sorted().length, found.matches]).toEqual([1, 3]);
  });
});
