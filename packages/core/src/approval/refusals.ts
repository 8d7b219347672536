import type { ApprovalAnswer, ApprovalRequest } from '../protocol/approver.ts';
import { firstUnits } from '../text-size/units.ts';
import type { ApprovalReply } from './approval-reply.ts';

/** Longest target quoted in a refusal, in units. */
const LONGEST_TARGET = 200;

/** The refusal of a call: what was asked for, why it is not to be, and what can be done about it. */
export function refusal(request: ApprovalRequest, cause: string, remedy: string): ApprovalAnswer {
  const { tool, target, reason } = request;
  const what = reason === undefined ? tool : `${tool} on ${firstUnits(target, LONGEST_TARGET)}`;
  return { allow: false, reason: `${what} was not run: ${cause}. ${remedy}`.trimEnd() };
}

/** Why a call needs consent, as the beginning of a sentence. */
export function whyAsked({ effect, reason }: ApprovalRequest): string {
  return reason ?? `it has the effect '${effect}'`;
}

/** The refusal of a call that somebody said no to. */
export function saidNo(request: ApprovalRequest, { reason }: ApprovalReply): ApprovalAnswer {
  return refusal(request, 'the user said no', reason ?? 'Ask what to do instead.');
}
