import { approvalPolicy, type ApprovalPolicy, type Approver } from '@bae/core';

/** Reports and tasks are what this agent is for; of everything else a person decides. */
export function approver(ask: ApprovalPolicy['ask']): Approver {
  return approvalPolicy({
    rules: [
      { space: 'filesystem', tool: 'write', target: 'reports/**', decision: 'allow' },
      { space: 'tasks', decision: 'allow' },
    ],
    ...(ask && { ask }),
    remedy: () => 'Only reports/ may be written.',
  });
}
