import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { parseGlob } from './glob-pattern.ts';
import { isGlob } from './search-scope.ts';

const CASES: readonly (readonly [pattern: string, matching: readonly string[], others: readonly string[]])[] = [
  ['*', ['a', '.env', 'a.b.c'], ['a/b', '']],
  ['*.ts', ['a.ts', '.ts', 'a.test.ts'], ['a.tsx', 'x/a.ts', 'a.TS']],
  ['**', ['a', 'a/b', '.a/.b/c'], ['']],
  ['**/*.ts', ['a.ts', 'x/a.ts', 'x/.y/a.ts'], ['a.tsx', 'x.ts/a']],
  ['**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'x/ya']],
  ['*/b', ['a/b'], ['b', 'a/c/b', '/b']],
  ['*/**/b', ['a/b', 'a/c/b'], ['b']],
  ['a**b', ['ab', 'axb'], ['a/b', 'ax/b']],
  ['a?c', ['abc', 'a.c'], ['ac', 'a/c', 'abbc']],
  ['[abc].t', ['a.t', 'c.t'], ['d.t', '.t']],
  ['[!a]x', ['bx'], ['ax', '/x', 'x']],
  ['[^a]x', ['bx'], ['ax']],
  ['[a-c][0-9]', ['a1', 'c9'], ['d1', 'a']],
  ['[]a]', [']', 'a'], ['b']],
  ['[', ['['], ['a']],
  ['[a', ['[a'], ['a']],
  ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js', 'a.{ts,tsx}']],
  ['*.{c,m,}js', ['a.js', 'a.cjs', 'a.mjs'], ['a.xjs']],
  ['{a,b/{c,d}}.t', ['a.t', 'b/c.t', 'b/d.t'], ['b.t', 'c.t']],
  ['{**/x,y}/*', ['y/a', 'x/a', 'q/x/a'], ['q/y/a']],
  ['{a}', ['{a}'], ['a']],
  ['{a,b', ['{a,b'], ['a']],
  ['a}', ['a}'], ['a']],
  [String.raw`\*`, ['*'], ['a']],
  [String.raw`a\b`, ['ab'], ['a', 'b']],
  [String.raw`\{a,b\}`, ['{a,b}'], ['a']],
  ['(group)+', ['(group)+'], ['group', 'groupp']],
  ['a.b|c$^', ['a.b|c$^'], ['axb', 'c']],
  ['日*.md', ['日本.md'], ['本.md']],
  ['?', ['a', '😀'], ['ab']],
];

describe('parseGlob', () => {
  it.each(CASES)('%s', async (pattern, matching, others) => {
    const { matches } = await parseGlob(pattern);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter((path) => matches(path))).toEqual([]);
  });

  it('takes off the folders that are spelt out', async () => {
    expect(await parseGlob('src/lib/*.ts')).toMatchObject({ base: 'src/lib', depth: 1 });
    expect(await parseGlob('src/*/x/a.ts')).toMatchObject({ base: 'src', depth: 3 });
    expect(await parseGlob('a.ts')).toMatchObject({ base: '', depth: 1 });
    expect(await parseGlob('(app)/[id]/**')).toMatchObject({ base: '(app)' });
    expect(await parseGlob('(app)/[id]/**')).not.toHaveProperty('depth');
  });

  it('ends at once where a backtracking engine would not', async () => {
    const name = 'a'.repeat(250);
    expect((await parseGlob(`${'*a'.repeat(60)}*b`)).matches(name)).toBe(false);
    expect((await parseGlob(`${'{a,aa}'.repeat(60)}b`)).matches(name)).toBe(false);
    expect((await parseGlob(`${'**/'.repeat(60)}b`)).matches('a/'.repeat(120))).toBe(false);
    expect((await parseGlob('{'.repeat(64))).matches(name)).toBe(false);
  });

  it('refuses a pattern that is too long or too much work, and a set that is none', async () => {
    expect(await describeOutcome(() => parseGlob('é'.repeat(513)))).toBe(
      'PatternError: the pattern is 1026 bytes long; at most 1024.\nTry: <G:**/*.md>',
    );
    expect(await describeOutcome(() => parseGlob('*a'.repeat(65)))).toBe(
      'PatternError: the file pattern has 65 times *; at most 64. Search with several patterns.\nTry: <G:**/*.md>',
    );
    expect(await describeOutcome(() => parseGlob('{'.repeat(65)))).toContain('has 65 times {; at most 64');
    expect(await describeOutcome(() => parseGlob(`{${'a,'.repeat(257)}}`))).toContain('has 257 times ,; at most 256');
    expect(await describeOutcome(() => parseGlob('[z-a]'))).toBe(
      'PatternError: the file pattern has an invalid character class. Write [a-z] or a plain name.\nTry: <G:**/[a-c]*>',
    );
  });

  it('is recognised by its characters', () => {
    expect(['*', 'a?', '[a]', '{a,b}'].every(isGlob)).toBe(true);
    expect(['a', 'a/b.ts', '(a)', 'a]', 'x}'].some(isGlob)).toBe(false);
  });
});
