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

describe('an argument with flags of other search programs', () => {
  it.each([
    ['login -rn', 'login', undefined],
    ['-i login src', '(?i)login', 'src'],
    ['"log in" src -n -C3', 'log in', 'src'],
    ['login context=3', 'login', undefined],
    ['login --ignore-case --context=2', '(?i)login', undefined],
    ['Login --line-number --recursive', 'Login', undefined],
    ['-i "log in" src', '(?i)log in', 'src'],
    ['login type=ts', 'login', '**/*.ts'],
    ['login -t py', 'login', '**/*.py'],
    ['login --include=*.tsx', 'login', '**/*.tsx'],
    ['login -g "src/**"', 'login', 'src/**'],
    ['login output_mode=files_with_matches head_limit=5', 'login', undefined],
    ['login case_sensitive=false', '(?i)login', undefined],
    ['/log.n/i', '(?i)log.n', undefined],
    ['/log.n/', 'log.n', undefined],
    ['login, src', 'login', 'src'],
    ['login -A3 src', 'login', 'src'],
    ['login -- src', 'login', 'src'],
  ])('%j is read without them as a search for %j in %j', (argument, pattern, path) => {
    const { withoutFlags, ...asSent } = createSearchArgument({ argument }, isPlace);
    expect(withoutFlags).toMatchObject({ pattern, path });
    expect(asSent.pattern).not.toBe(pattern);
  });

  it.each([
    ['login path=src -A 3', 'login', 'src'],
    ['TODO|error path=src -i -n', '(?i)TODO|error', 'src'],
    ['TODO|error -n', 'TODO|error', undefined],
  ])('%j is at once a search for %j in %j: it would find something else with them', (argument, pattern, path) => {
    expect(createSearchArgument({ argument }, isPlace)).toMatchObject({ pattern, path });
  });

  it('are left out at once behind a quoted pattern', () => {
    expect(createSearchArgument({ argument: '"log in" -i' }, isPlace)).toMatchObject({
      pattern: '(?i)log in',
      path: undefined,
    });
  });

  it.each([
    'login',
    'login src',
    'a/b/c',
    'my_limit=5',
    '-n',
    '- item',
    'a -v',
    'x --save-dev',
    'a -w b',
    `x${' '.repeat(70_000)}y`,
  ])('is not what %j is', (argument) => {
    expect(createSearchArgument({ argument }, isPlace).withoutFlags).toBeUndefined();
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
