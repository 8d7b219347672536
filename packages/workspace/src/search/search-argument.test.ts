import { describe, expect, it } from 'vitest';
import { createSearchArgument } from './search-argument.ts';

const isPlace = (word: string): boolean => word === 'src';

describe('a search argument', () => {
  it.each([
    ['TODO src', undefined, 'TODO', 'src'],
    ['TODO scr', undefined, 'TODO scr', undefined],
    ['"import x" src', undefined, 'import x', 'src'],
    ['"import x"', undefined, 'import x', undefined],
    [' TODO ', undefined, ' TODO ', undefined],
    ['TODO src', 'src', 'TODO src', 'src'],
    ['"a b"', 'src', 'a b', 'src'],
    ['"a" src', 'lib', '"a" src', 'lib'],
    ['  a', 'src', '  a', 'src'],
  ])('reads %j with path %j as a search for %j in %j', (argument, path, pattern, place) => {
    expect(createSearchArgument({ argument, path }, isPlace)).toMatchObject({ pattern, path: place });
  });
});

describe('a search that finds nothing', () => {
  it.each([
    ['TODO', '(no matches)'],
    ['a b=c', '(no matches for the whole text "a b=c")'],
    ['x, path: y', '(no matches for the whole text "x, path: y")'],
    ['const a = 1', '(no matches)'],
  ])('shows how it was read where that may surprise: %s', (argument, none) => {
    expect(createSearchArgument({ argument }, () => false).none).toBe(none);
  });
});
