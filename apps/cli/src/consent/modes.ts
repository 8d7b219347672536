import type { ApprovalRequest, Approver } from '@bae/core';
import type { AskPerson } from './approver.ts';

/** What happens to calls that need consent. */
export const MODES = [
  { id: 'ask', name: 'Ask', description: 'Ask before anything changes' },
  { id: 'edit', name: 'Accept edits', description: 'Change files without asking; ask for everything else' },
  { id: 'plan', name: 'Plan', description: 'Only read' },
] as const;

export type Mode = (typeof MODES)[number]['id'];

/** The mode after another one, in the order of `MODES`. */
export function nextMode(mode: Mode): Mode {
  const at = MODES.findIndex(({ id }) => id === mode);
  return MODES[(at + 1) % MODES.length]!.id;
}

/** Lets a mode decide before the rules and the person do. @param getMode the mode at the moment of a call */
export function decideByMode(getMode: () => Mode) {
  const isEdit = ({ effect, reason, target }: ApprovalRequest) =>
    getMode() === 'edit' && effect === 'write' && reason === undefined && !isCommand(target);
  /** Edits of files are allowed by their mode, unless there is a reason to ask. */
  const wrapAsk =
    (ask: AskPerson): AskPerson =>
    async (request, signal) =>
      isEdit(request) ? { decision: 'allow', by: 'option' } : ask(request, signal);
  const refuse = ({ tool }: ApprovalRequest) =>
    getMode() === 'plan'
      ? ({ allow: false, reason: `${tool} was not run: the mode is plan, which only reads. End with a plan.` } as const)
      : undefined;
  const wrapApprover = (inner: Approver): Approver => ({
    ...inner,
    ...(inner.decide && {
      decide: (request) =>
        refuse(request) ?? inner.decide!(request) ?? (isEdit(request) ? { allow: true, by: 'option' } : undefined),
    }),
    approve: (request, signal) => refuse(request) ?? inner.approve(request, signal),
  });
  return { wrapAsk, wrapApprover };
}

function isCommand(target: string): boolean {
  return target.startsWith('command:');
}
