import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInRange } from './version-range.ts';

describe('isInRange', () => {
  it.each([
    ['^1', ['1.0.0', '1.9.9'], ['0.9.9', '2.0.0']],
    ['^1.2', ['1.2.0', '1.9.0'], ['1.1.9', '2.0.0']],
    ['^0.2', ['0.2.0', '0.2.9'], ['0.1.9', '0.3.0', '1.0.0']],
    ['^0.0.3', ['0.0.3'], ['0.0.4', '0.0.2']],
    ['^0', ['0.0.0', '0.9.9'], ['1.0.0']],
    ['~1.2', ['1.2.0', '1.2.9'], ['1.3.0']],
    ['~1', ['1.0.0', '1.9.9'], ['2.0.0']],
    ['~1.2.3', ['1.2.3', '1.2.9'], ['1.2.2', '1.3.0']],
    ['1', ['1.0.0', '1.9.9'], ['2.0.0']],
    ['1.x', ['1.0.0', '1.9.9'], ['2.0.0']],
    ['1.2.*', ['1.2.0', '1.2.9'], ['1.3.0']],
    ['*', ['0.0.0', '9.9.9'], []],
    ['1.2.3', ['1.2.3'], ['1.2.2', '1.2.4']],
    ['=1.2.3', ['1.2.3'], ['1.2.4']],
    ['v1.2', ['1.2.5'], ['1.3.0']],
    ['>=1.1 <3', ['1.1.0', '2.9.9'], ['1.0.9', '3.0.0']],
    ['>= 1.1  < 3', ['1.1.0'], ['3.0.0']],
    ['>1.2', ['1.3.0'], ['1.2.9']],
    ['>1.2.3', ['1.2.4'], ['1.2.3']],
    ['<=1.2', ['1.2.9', '0.1.0'], ['1.3.0']],
    ['<1', ['0.9.9'], ['1.0.0']],
    ['^1 || ^3', ['1.5.0', '3.0.0'], ['2.0.0', '4.0.0']],
  ])('reads %s', (range, inside, outside) => {
    expect(inside.filter((version) => isInRange(version, range) !== true)).toEqual([]);
    expect(outside.filter((version) => isInRange(version, range) !== false)).toEqual([]);
  });

  it.each(['', 'one', '^', '1.2.3.4', '^1 ||', '1 - 2', '>=1 beta'])('does not guess what %j may mean', (range) => {
    expect(isInRange('1.0.0', range)).toBeUndefined();
  });

  it('takes every version as within the caret of itself, and none of the next major version', () => {
    const part = fc.nat({ max: 9999 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part, part, (major, minor, patch) => {
        expect(isInRange(`${major}.${minor}.${patch}`, `^${major}.${minor}.${patch}`)).toBe(true);
        expect(isInRange(`${major + 1}.0.0`, `^${major}.${minor}.${patch}`)).toBe(false);
      }),
    );
  });
});
