import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ConfigurationError } from '../errors/bae-error.ts';
import { checkRules, makeGlobTest } from './approval-rule.ts';

function messageOf(rules: unknown): string {
  try {
    checkRules(rules);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
  return '';
}

describe('checkRules', () => {
  it('takes rules with any of their fields', () => {
    const rules = [
      { decision: 'deny' },
      { space: 'source.**', tool: 'write', effect: 'write', target: 'docs/**', decision: 'allow' },
      { effect: 'external', decision: 'ask' },
    ];
    expect(messageOf(rules)).toBe('');
    expect(messageOf([])).toBe('');
  });

  it.each([
    [{}, 'rules: expected a list like [{"tool": "write", "decision": "allow"}]; got {}.'],
    [['deny'], 'rules[0]: expected an object like {"tool": "write", "decision": "allow"}; got "deny".'],
    [[null], 'rules[0]: expected an object like {"tool": "write", "decision": "allow"}; got null.'],
    [[{}], 'rules[0].decision: expected "allow", "ask" or "deny"; got nothing.'],
    [
      [{ decision: 'denny' }],
      'rules[0].decision: expected "allow", "ask" or "deny"; got "denny". Did you mean "deny"?',
    ],
    [
      [{ effect: 'writes', decision: 'ask' }],
      'rules[0].effect: expected "read", "write" or "external"; got "writes". Did you mean "write"?',
    ],
    [[{ taget: 'a', decision: 'ask' }], 'rules[0].taget: no such field. Did you mean target?'],
    [
      [{ '\u001B': 'a', decision: 'ask' }],
      'rules[0]."\\u001b": no such field. There are space, tool, target, effect, decision.',
    ],
    [[{ space: 7, decision: 'ask' }], 'rules[0].space: expected a dotted space like "home" or "source.**"; got 7.'],
    [[{ tool: '', decision: 'ask' }], 'rules[0].tool: expected the name of a tool like "write"; got "".'],
    [
      [{ target: 'a/../b', decision: 'deny' }],
      'rules[0].target: expected a path or pattern like "docs/**", without ".."; got "a/../b".',
    ],
    [
      [{ target: 'x'.repeat(1025), decision: 'deny' }],
      `rules[0].target: expected a path or pattern like "docs/**", without ".."; got "${'x'.repeat(79)}….`,
    ],
  ])('refuses %j', (rules, message) => {
    expect(messageOf(rules)).toBe(message);
  });

  it('reports everything that is wrong at once', () => {
    expect(messageOf([{ decision: 'ask' }, { tol: 'write', decision: 'yes' }]).split('\n')).toEqual([
      'rules[1].tol: no such field. Did you mean tool?',
      'rules[1].decision: expected "allow", "ask" or "deny"; got "yes".',
    ]);
  });
});

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
