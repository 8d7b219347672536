import { describe, expect, it } from 'vitest';
import { findNameAt, checkName, findOccurrences } from './identifier-name.ts';

describe('checkName', () => {
  it.each(['b', '$', '_1', 'größe', 'delete_', 'of', 'type', 'async'])('has nothing against %s', (name) => {
    expect(checkName(name, 'a')).toBeUndefined();
  });

  it.each([
    ['1b', "'1b' is not an identifier"],
    ['a.b', "'a.b' is not an identifier"],
    ['b\n', "'b\n' is not an identifier"],
    ['#', "'#' is not an identifier"],
    ['await', "'await' is a reserved word"],
    ['a', 'it is called a already'],
    ['#b', "'#b' and 'a' are not both private"],
  ])('gives a reason against %j', (name, reason) => {
    expect(checkName(name, 'a')).toBe(reason);
  });
});

describe('findOccurrences', () => {
  it('finds a name as a word of its own', () => {
    expect(findOccurrences('a', 'a ba a1 $a a$ #a a.a "a" äa a')).toEqual([0, 17, 19, 22, 28]);
  });

  it('finds names with a dollar sign and private ones', () => {
    expect(findOccurrences('$a$', '$a$ $a$$ b.$a$')).toEqual([0, 11]);
    expect(findOccurrences('#a', 'this.#a + a')).toEqual([5]);
  });
});

describe('findNameAt', () => {
  it.each([
    [0, undefined],
    [1, { name: 'one', start: 1 }],
    [3, { name: 'one', start: 1 }],
    [4, { name: 'one', start: 1 }],
    [6, { name: '#two', start: 5 }],
    [10, undefined],
  ])('finds the name at offset %i', (offset, expected) => {
    expect(findNameAt('(one #two)  ', offset)).toEqual(expected);
  });
});
