import { approvalPolicy, type ApprovalRequest } from '@bae/core';
import { expect, it } from 'vitest';
import { decideByMode } from './modes.ts';

const signal = new AbortController().signal;

it.each([
  ['read', true],
  ['write', false],
  ['external', false],
] as const)('in the mode plan, a person is asked about what has the effect %s: %s', async (effect, isAsked) => {
  const asked: ApprovalRequest[] = [];
  const { wrapApprover, wrapAsk } = decideByMode(() => 'plan');
  const ask = wrapAsk(async (request) => {
    asked.push(request);
    return { decision: 'allow' };
  });
  const approver = wrapApprover(approvalPolicy({ ask }));
  const tag = '<R:.env>';
  const about = {
    session: 's',
    space: 'home',
    tool: 'read',
    tag,
    args: {},
    target: '.env',
    reason: 'it may hold passwords',
  };
  const { allow, by } = await approver.approve({ ...about, effect }, signal);
  expect([allow, asked.length === 1, by]).toEqual([isAsked, isAsked, isAsked ? 'person' : 'option']);
});
