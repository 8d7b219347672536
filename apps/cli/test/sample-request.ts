import type { ApprovalRequest } from '@bae/core';

/** A write that waits for consent, but for what is changed about it. */
export function sampleRequest(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    session: 's',
    space: 'home',
    tool: 'write',
    effect: 'write',
    tag: '<W:a.txt>',
    args: { path: 'a.txt' },
    target: 'a.txt',
    ...changes,
  };
}

/** A read of a file that may hold secrets. */
export function secretRequest(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return sampleRequest({
    tool: 'read',
    effect: 'read',
    tag: '<R:.env>',
    args: { target: '.env' },
    target: '.env',
    reason: 'it may hold secrets',
    ...changes,
  });
}
