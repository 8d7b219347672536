import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { makeGlobTest } from './glob.ts';

describe('makeGlobTest', () => {
  it.each([
    ['a.txt', 'a.txt', true],
    ['a.txt', 'axtxt', false],
    ['a.txt', 'b/a.txt', false],
    ['*', 'a.txt', true],
    ['*', 'a/b', false],
    ['*.ts', 'main.ts', true],
    ['*.ts', 'main.tsx', false],
    ['?.ts', 'é.ts', true],
    ['?.ts', '🙂.ts', true],
    ['?.ts', '.ts', false],
    ['src/*/index.ts', 'src/a/index.ts', true],
    ['src/*/index.ts', 'src/a/b/index.ts', false],
    ['**', '', true],
    ['**', 'a/b/c', true],
    ['docs/**', 'docs', true],
    ['docs/**', 'docs/a/b.md', true],
    ['docs/**', 'docs2/a', false],
    ['**/secret/**', 'a/secret/b', true],
    ['**/secret/**', 'secret', true],
    ['**/a/**/b', 'x/a/a/y/b', true],
    ['a**b', 'axxb', true],
    ['a**b', 'a/b', false],
    ['[ab].(x|y)', '[ab].(x|y)', true],
    ['[ab]', 'a', false],
    ['/etc/**', 'etc/passwd', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j on %j: %s', (pattern, text, matches) => {
    expect(makeGlobTest(pattern, '/')(text)).toBe(matches);
  });

  it('takes the parts of a space', () => {
    const below = makeGlobTest('source.**', '.');
    expect(['source', 'source.meta', 'source.meta.deps', 'sources', 'tasks'].map(below)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('agrees with a regular expression made of the same pattern', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '/', '*', '?', '**'), { maxLength: 10 });
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 10 });
    fc.assert(
      fc.property(letters, text, (pattern, word) => {
        const written = pattern.join('');
        expect(makeGlobTest(written, '/')(word.join(''))).toBe(asExpression(written).test(`${word.join('')}/`));
      }),
    );
  });

  it('takes no time for patterns that keep other engines busy for ever', () => {
    const hostile = makeGlobTest(`${'*a'.repeat(500)}b`, '/');
    expect(hostile('a'.repeat(4096))).toBe(false);
    const manyParts = makeGlobTest(`${'**/a/'.repeat(200)}b`, '/');
    expect(manyParts('a/'.repeat(2048))).toBe(false);
  });
});

/** For a text with a slash added at its end. */
function asExpression(pattern: string): RegExp {
  const parts = pattern.split('/').map((part) => {
    if (part === '**') return '(?:[^/]*/)*';
    return `${part.replaceAll(/\*+/g, '[^/]*').replaceAll('?', '[^/]')}/`;
  });
  return new RegExp(`^${parts.join('')}$`);
}
