import { describe, expect, it } from 'vitest';
import { countUnits, chooseVersion, formatCount, joinParts, truncateUnits } from './text-size.ts';

describe('chooseVersion', () => {
  it('takes the first version that fits and makes no other', () => {
    const made: string[] = [];
    function* versions() {
      for (const version of ['much too long', 'short', 's']) {
        made.push(version);
        yield version;
      }
    }
    expect(chooseVersion(versions(), 5)).toBe('short');
    expect(made).toEqual(['much too long', 'short']);
  });

  it('cuts the last version when none fits', () => {
    expect(chooseVersion(['abcdefghijkl', 'abcdefghijk'], 10)).toBe('abcdef…');
  });
});

describe('truncateUnits', () => {
  it('leaves a text that fits alone', () => {
    expect(truncateUnits('abc', 3)).toBe('abc');
  });

  it('counts its mark and cuts between characters', () => {
    const cut = truncateUnits('😀😀😀😀', 13);
    expect(cut).toBe('😀😀…');
    expect(countUnits(cut)).toBe(12);
  });
});

describe('joinParts', () => {
  it('leaves no gap for parts that are empty', () => {
    expect(joinParts(undefined, 'a', '', 'b')).toBe('a\nb');
  });
});

describe('formatCount', () => {
  it('uses the singular for one only', () => {
    expect([formatCount(0, 'line'), formatCount(1, 'line'), formatCount(2, 'match')]).toEqual([
      '0 lines',
      '1 line',
      '2 matches',
    ]);
  });

  it('forms the plural of a noun in y', () => {
    expect([formatCount(2, 'entry'), formatCount(2, 'key')]).toEqual(['2 entries', '2 keys']);
  });
});
