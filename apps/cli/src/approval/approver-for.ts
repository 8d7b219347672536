import type { ApprovalAnswer, ApprovalRequest, Approver } from '@bae/core';
import type { BaeConfig } from '../config/bae-config.ts';

/** What a person answers to a call that waits: this one, all of this tool in this session, or none. */
export type Consent = 'once' | 'always' | 'no';

/** Asks whoever sits at the terminal. */
export type AskPerson = (request: ApprovalRequest, signal: AbortSignal) => Promise<Consent>;

/** What decides over calls that change something. */
export interface ApprovalPolicy {
  /** `--yes` was given. */
  readonly yes: boolean;
  readonly approve?: BaeConfig['approve'];
  /** Absent when nobody is there to be asked. */
  readonly ask?: AskPerson;
}

/** The approver for a policy; a configuration that refuses wins over `--yes`. */
export function approverFor({ yes, approve = 'ask', ask }: ApprovalPolicy): Approver {
  if (approve === 'none')
    return { approve: ({ tool }) => refused(`${tool} was not run: the configuration says approve: "none".`) };
  if (yes || approve === 'all') return { approve: () => ({ allow: true }) };
  return ask === undefined ? { approve: refusedUnasked } : askingApprover(ask);
}

function refusedUnasked({ tool, effect }: ApprovalRequest): ApprovalAnswer {
  return refused(
    `${tool} was not run: it has the effect '${effect}', and nobody is here to approve it. To allow it, start bae with --yes.`,
  );
}

function askingApprover(ask: AskPerson): Approver {
  const always = new Set<string>();
  return {
    approve: async (request, signal) => {
      const key = `${request.space} ${request.tool}`;
      const consent = always.has(key) ? 'always' : await ask(request, signal);
      if (consent === 'always') always.add(key);
      return consent === 'no'
        ? refused(`${request.tool} was not run: the user said no. Ask what to do instead.`)
        : { allow: true };
    },
  };
}

function refused(reason: string): ApprovalAnswer {
  return { allow: false, reason };
}
