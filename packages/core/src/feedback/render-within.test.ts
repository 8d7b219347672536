import { describe, expect, it } from 'vitest';
import { units } from '../text-size/units.ts';
import { clipped, joined, renderWithin } from './render-within.ts';

describe('renderWithin', () => {
  it('takes the first version that fits and makes no other', () => {
    const made: string[] = [];
    function* versions() {
      for (const version of ['much too long', 'short', 's']) {
        made.push(version);
        yield version;
      }
    }
    expect(renderWithin(versions(), 5)).toBe('short');
    expect(made).toEqual(['much too long', 'short']);
  });

  it('cuts the last version when none fits', () => {
    expect(renderWithin(['abcdefghijkl', 'abcdefghijk'], 10)).toBe('abcdef…');
  });
});

describe('clipped', () => {
  it('leaves a text that fits alone', () => {
    expect(clipped('abc', 3)).toBe('abc');
  });

  it('counts its mark and cuts between characters', () => {
    const cut = clipped('😀😀😀😀', 13);
    expect(cut).toBe('😀😀…');
    expect(units(cut)).toBe(12);
  });
});

describe('joined', () => {
  it('leaves no gap for parts that are empty', () => {
    expect(joined(undefined, 'a', '', 'b')).toBe('a\nb');
  });
});
