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
    expect(createSearchArgument({ argument, path }, isPlace)).toEqual({ pattern, path: place });
  });
});
