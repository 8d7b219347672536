import type { ApprovalRequest } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { approverFor, type Consent } from './approver-for.ts';

const WRITE: ApprovalRequest = {
  space: 'home',
  tool: 'write',
  effect: 'write',
  tag: '<W:a.txt>',
  args: { path: 'a.txt' },
};
const signal = new AbortController().signal;

describe('approverFor', () => {
  it('refuses where nobody can be asked, and says how to allow it', async () => {
    expect(await approverFor({ yes: false }).approve(WRITE, signal)).toEqual({
      allow: false,
      reason:
        "write was not run: it has the effect 'write', and nobody is here to approve it. To allow it, start bae with --yes.",
    });
  });

  it('allows everything with --yes, and where the configuration says so', async () => {
    expect(await approverFor({ yes: true }).approve(WRITE, signal)).toEqual({ allow: true });
    expect(await approverFor({ yes: false, approve: 'all' }).approve(WRITE, signal)).toEqual({ allow: true });
  });

  it('lets a configuration that refuses win over --yes', async () => {
    const approver = approverFor({ yes: true, approve: 'none', ask: async () => 'once' });
    expect(await approver.approve(WRITE, signal)).toEqual({
      allow: false,
      reason: 'write was not run: the configuration says approve: "none".',
    });
  });

  it('asks a person every time, until one answer is for always', async () => {
    const answers: Consent[] = ['once', 'no', 'always'];
    const asked: string[] = [];
    const approver = approverFor({
      yes: false,
      ask: async ({ space, tool }) => {
        asked.push(`${space}.${tool}`);
        return answers.shift() ?? 'no';
      },
    });
    const decide = async (changes: Partial<ApprovalRequest> = {}) =>
      (await approver.approve({ ...WRITE, ...changes }, signal)).allow;
    expect([await decide(), await decide(), await decide(), await decide()]).toEqual([true, false, true, true]);
    expect([await decide({ tool: 'edit' }), await decide({ space: 'tasks' })]).toEqual([false, false]);
    expect(asked).toEqual(['home.write', 'home.write', 'home.write', 'home.edit', 'tasks.write']);
  });
});
