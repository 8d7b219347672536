import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approvalPolicy } from '../approval/approval-policy.ts';
import type { ApprovalRule } from '../approval/approval-rule.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

describe('a rule about reading by a tool', () => {
  const readBook = tool('A book.', { target: z.string() }, ({ target }) => `text of ${target}`, { effect: 'read' });
  const shelf = defineResourcespace({ name: 'shelf', description: 'Books.', tools: { read: readBook } });
  const read = async (...rules: readonly ApprovalRule[]) => {
    const agent = createAgent({ spaces: [shelf], approver: approvalPolicy({ rules }) });
    const { calls } = await agent.run(asModelText('<shelf.R:one>'));
    return calls[0]?.result.text;
  };

  it.each([
    [{ effect: 'read', space: 'shelf', decision: 'deny' }, 'was not run: a rule denies it'],
    [{ effect: 'read', tool: 'read', target: 'one', decision: 'deny' }, 'was not run: a rule denies it'],
    [{ effect: 'read', decision: 'ask' }, 'no one is available to approve it'],
    [{ effect: 'read', tool: 'read', target: 'two', decision: 'deny' }, 'text of one'],
    [{ space: 'shelf', decision: 'deny' }, 'text of one'],
    [{ effect: 'read', target: 'one', decision: 'deny' }, 'text of one'],
  ] as const)('%j: %s', async (rule, text) => {
    expect(await read(rule)).toContain(text);
  });
});

it('is given to what an agent provides, also for its other sessions', () => {
  const given: number[] = [];
  const provide = [{ token: 'files', value: {}, restrict: (rules: readonly unknown[]) => given.push(rules.length) }];
  const rules = [{ effect: 'read', target: 'a', decision: 'deny' }] as const;
  createAgent({ provide, approver: approvalPolicy({ rules }) });
  expect(given).toEqual([1]);
});
