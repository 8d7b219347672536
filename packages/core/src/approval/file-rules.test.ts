import { describe, expect, it } from 'vitest';
import type { ApprovalRule } from './approval-rule.ts';
import { listFileRules } from './approval-policy.ts';

/** What rules say about a path: the effects that they restrict. */
function effectsOn(path: string, ...rules: readonly ApprovalRule[]): string {
  return listFileRules(rules)
    .filter(({ matches }) => matches(path))
    .map(({ effect }) => effect)
    .join(' ');
}

describe('a rule about files', () => {
  it.each([
    [{ effect: 'read', target: 'docs', decision: 'deny' }, 'read'],
    [{ effect: 'read', target: 'docs/**', decision: 'ask' }, 'read'],
    [{ effect: 'read', target: 'DOCS', decision: 'deny', tool: 'read', space: 'home' }, 'read'],
    [{ effect: 'read', target: 'docs/a.md', decision: 'allow' }, ''],
    [{ target: 'docs', decision: 'deny' }, 'write'],
    [{ effect: 'write', target: '**/*.md', decision: 'deny' }, 'write'],
    [{ effect: 'external', target: 'docs', decision: 'deny' }, ''],
    [{ target: 'docs', decision: 'ask' }, ''],
    [{ target: 'docs', decision: 'deny', tool: 'edit' }, ''],
    [{ target: 'command:docs', decision: 'deny' }, ''],
    [{ effect: 'read', decision: 'deny' }, ''],
  ] as const)('%j restricts: %s', (rule, effects) => {
    expect(effectsOn('docs/a.md', rule)).toBe(effects);
  });

  it('reaches only the folders in which it may match something', () => {
    const [rule] = listFileRules([{ effect: 'read', target: 'a/b/*.md', decision: 'deny' }]);
    expect(['', 'a', 'A/b', 'a/b/c', 'b', 'a/c'].map((folder) => rule!.reaches(folder))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
