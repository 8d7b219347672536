import { describe, expect, it } from 'vitest';
import { countUnits } from '../text-size/text-size.ts';
import { prune } from './prune.ts';

describe('a text of one line', () => {
  it('becomes its beginning, how much went, and its end', () => {
    const { text, report } = prune(`${'a'.repeat(5000)}${'b'.repeat(5000)}`);
    expect(text).toBe(`${'a'.repeat(1300)}\n… [+8200 chars] …\n${'b'.repeat(500)}\n[pruned: 10000 -> 1800 chars]`);
    expect(report).toEqual({ total: 10000, shown: 1800, indicator: '[pruned: 10000 -> 1800 chars]' });
  });

  it('counts characters as people do', () => {
    const { text, report } = prune('😀'.repeat(2000));
    expect(report?.indicator).toBe('[pruned: 2000 -> 450 chars]');
    expect(text.isWellFormed()).toBe(true);
  });

  it('stays whole when only the blank lines around it are too many', () => {
    expect(prune(`${'\n'.repeat(3000)}hello\n`).text).toBe('hello\n[pruned: blank lines]');
  });

  it('is found between blank lines', () => {
    expect(prune(`\n\n${'x'.repeat(1999)}\n`).report?.indicator).toBe('[pruned: 1999 -> 1800 chars]');
  });

  it('names the handle of the whole text', () => {
    expect(
      prune('x'.repeat(10000), { ref: 'result:3' }).text.endsWith(
        '\n[pruned: 10000 -> 1800 chars; full: <R:result:3>]',
      ),
    ).toBe(true);
  });

  it('shows as much as a small cap allows', () => {
    expect(prune('abcdefghij'.repeat(20), { cap: 100 }).text).toMatchInlineSnapshot(`
      "abcdefghijabcdefghijabcdefghijabcdef
      … [+151 chars] …
      hijabcdefghij
      [pruned: 200 -> 49 chars]"
    `);
    expect(prune('abcdefghij'.repeat(20), { cap: 40 }).text).toBe('[pruned: 200 -> 0 chars]');
  });

  it('stays within the cap where a word is cut in two', () => {
    for (let cap = 100; cap < 334; cap++) {
      const { text } = prune('x'.repeat(334), { cap, ref: 'result:12' });
      expect(countUnits(text)).toBeLessThanOrEqual(cap);
    }
  });
});
