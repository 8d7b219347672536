import { approvalPolicy, type ApprovalPolicy, type ApprovalRequest, type Approver } from '@bae/core';
import { listRules, type BaeConfig } from '../config/bae-config.ts';

/** Asks the person at the terminal. */
export type AskPerson = NonNullable<ApprovalPolicy['ask']>;

/** What decides about calls that need consent. */
export interface ConsentSettings {
  /** `--yes` was given. */
  readonly yes: boolean;
  readonly approve?: BaeConfig['approve'];
  /** Absent when nobody is there to be asked. */
  readonly ask?: AskPerson | undefined;
}

/**
 * The approver for a start of bae. `--yes` answers questions about writes, so what the configuration denies
 * stays denied; it does not answer those about secrets.
 */
export function createApprover({ yes, approve = 'ask', ask }: ConsentSettings): Approver {
  if (approve === 'none')
    return {
      approve: ({ tool }) => ({
        allow: false,
        reason: `${tool} was not run: the configuration says approve: "none".`,
      }),
    };
  const answer = yes || approve === 'all' ? allowWrites(ask) : ask;
  return approvalPolicy({ rules: listRules(approve), remedy, ...(answer !== undefined && { ask: answer }) });
}

/** Allows without asking everything but what a tool itself asks about. */
function allowWrites(ask: AskPerson | undefined): AskPerson {
  return async (request, signal) => (request.reason === undefined ? { decision: 'allow' } : ask?.(request, signal));
}

const remedy: NonNullable<ApprovalPolicy['remedy']> = (request, denying) => {
  if (denying !== undefined) return 'To allow it, change "approve" in the configuration.';
  const setting = suggestSetting(request);
  return request.reason === undefined
    ? `To allow it, start bae with --yes. A --config file may allow only this: ${setting}`
    : `To allow it, start bae with a --config file that says ${setting}`;
};

function suggestSetting({ space, tool, target, reason }: ApprovalRequest): string {
  const calls = reason === undefined ? { tool } : { target };
  return JSON.stringify({ approve: [{ space, ...calls, decision: 'allow' }] });
}
