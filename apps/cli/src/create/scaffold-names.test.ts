import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../command-line/errors.ts';
import { deriveNames } from './scaffold.ts';

function problemWith(name: string): string {
  try {
    deriveNames(name);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
}

describe('scaffoldNames', () => {
  it('gives a name in all its forms', () => {
    expect(deriveNames('snow-report2')).toEqual({
      name: 'snow-report2',
      identifier: 'snow_report2',
      camel: 'snowReport2',
      pascal: 'SnowReport2',
    });
  });

  it.each([
    ['My Weather', 'it consists of lowercase letters, digits and single -, and begins with a letter', 'my-weather'],
    ['snowReport', 'it consists of lowercase letters, digits and single -, and begins with a letter', 'snow-report'],
    ['2nd_try!', 'it consists of lowercase letters, digits and single -, and begins with a letter', 'nd-try'],
    ['../etc', 'it consists of lowercase letters, digits and single -, and begins with a letter', 'etc'],
    ['', 'it consists of lowercase letters, digits and single -, and begins with a letter', 'notes'],
    ['Überblick', 'it consists of lowercase letters, digits and single -, and begins with a letter', 'berblick'],
    ['bae-resourcespace-tea', 'that prefix is added automatically', 'tea'],
    ['read', 'it already has a meaning in bae', 'my-read'],
    ['home', 'it already has a meaning in bae', 'my-home'],
    ['class', 'it is a reserved word in JavaScript', 'my-class'],
    ['constructor', 'it is a reserved word in JavaScript', 'my-constructor'],
    ['a'.repeat(60), 'it has at most 50 characters', 'a'.repeat(50)],
  ])('refuses %j and names the nearest that would do', (name, reason, nearest) => {
    expect(problemWith(name)).toBe(`${JSON.stringify(name)} cannot be the name: ${reason}. Did you mean ${nearest}?`);
  });

  it('never suggests what it would refuse', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-zA-Z_ .-]{0,70}$/)), (name) => {
        const suggested = /Did you mean ([^?]*)\?$/.exec(problemWith(name))?.[1];
        if (suggested !== undefined) expect(problemWith(suggested)).toBe('');
      }),
    );
  });
});
