import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { checkPattern, createPatternError, escapePattern } from './check-pattern.ts';

const outcomeOf = (pattern: string): Promise<string> => describeOutcome(() => checkPattern(pattern));

describe('checkPattern', () => {
  it.each([
    'a',
    '-e',
    '--pre=x',
    '(?:a)',
    '(?i)a',
    '(?P<n>a)',
    '(?<n>a)',
    String.raw`\(?=`,
    String.raw`\\d`,
    String.raw`a\\`,
    'x'.repeat(1024),
    'é{2}',
  ])('accepts %j', async (pattern) => {
    expect(await outcomeOf(pattern)).toMatch(/^no error/);
  });

  it.each([
    ['', 'the pattern is empty. Say what to search for.\nTry: <Grep:TODO>'],
    [
      'é'.repeat(513),
      `the pattern is 1026 bytes long; at most 1024. Search for a part of it.\nTry: <Grep:${'é'.repeat(100)}>`,
    ],
    [
      'one\ntwo three',
      'a search goes line by line: the pattern cannot have a line break or NUL in it.\nTry: <Grep:three>',
    ],
    ['foo(?=bar)', 'look-around at 3 is not supported. Search without it and look through the rows.\nTry: <Grep:foo>'],
    ['(?!a)b', 'look-around at 0 is not supported. Search for a plain part and look through the rows.\nTry: <Grep:b>'],
    [
      '(?<=price)x',
      'look-around at 0 is not supported. Search for a plain part and look through the rows.\nTry: <Grep:price>',
    ],
    ['(?<!a)x', 'look-around at 0 is not supported. Search for a plain part and look through the rows.\nTry: <Grep:x>'],
    [
      String.raw`^(?!INFO \[(?:http|web)\])(?!.*\)password).*slow`,
      'look-around at 1 is not supported. Search without it and look through the rows.\nTry: <Grep:^.*slow>',
    ],
    [
      String.raw`^(?!def ).*\b(slugify|is_[a-z]+)\(`,
      'look-around at 1 is not supported. Search without it and look through the rows.\n' +
        String.raw`Try: <Grep:^.*\b(slugify|is_[a-z]+)\(>`,
    ],
    [
      String.raw`(\w+) \1`,
      'a back-reference at 6 is not supported. Search for a plain part and look through the rows.\nTry: <Grep:TODO>',
    ],
    [
      String.raw`(?<q>['"])say\k<q>`,
      'a back-reference at 13 is not supported. Search for a plain part and look through the rows.\nTry: <Grep:say>',
    ],
    [
      String.raw`[[:alpha:]]+\p{Lu}(?=x)word`,
      'look-around at 18 is not supported. Search for a plain part and look through the rows.\nTry: <Grep:word>',
    ],
    [
      '(?>ab)c',
      'an atomic group at 0 is not supported. Search for a plain part and look through the rows.\nTry: <Grep:ab>',
    ],
    ['a\\', String.raw`backslash at the end at 1. Quote or escape it.` + '\nTry: <Grep:a\\\\>'],
  ])('refuses %j', async (pattern, text) => {
    expect(await outcomeOf(pattern)).toBe(`PatternError: ${text}`);
  });
});

describe('createPatternError', () => {
  it('reads the same for every engine', () => {
    expect(createPatternError('[', 'unclosed character class', 0).message).toBe(
      createPatternError('[', 'missing closing ]', 0).message,
    );
    expect(createPatternError('(', 'unclosed group', undefined).message).toBe(
      'unterminated group. Quote or escape it.',
    );
    expect(createPatternError('x', 'something new', 3).message).toBe('something new at 3. Quote or escape it.');
  });
});

describe('escapePattern', () => {
  it('makes every character stand for itself', () => {
    expect(escapePattern('a.b*(c)[d]{e}|^$+?\\')).toBe(String.raw`a\.b\*\(c\)\[d\]\{e\}\|\^\$\+\?\\`);
  });
});
