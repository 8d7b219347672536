import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../errors/setup-errors.ts';
import { checkRules } from './approval-rule.ts';

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
