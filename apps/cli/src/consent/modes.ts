import type { Approver } from '@bae/core';
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
  /** Edits of files are allowed by their mode, unless there is a reason to ask. */
  const wrapAsk =
    (ask: AskPerson): AskPerson =>
    async (request, signal) =>
      getMode() === 'edit' && request.effect === 'write' && request.reason === undefined && !isCommand(request.target)
        ? { decision: 'allow', by: 'option' }
        : ask(request, signal);
  const wrapApprover = (inner: Approver): Approver => ({
    ...inner,
    approve: (request, signal) =>
      getMode() === 'plan'
        ? { allow: false, reason: `${request.tool} was not run: the mode is plan, which only reads. End with a plan.` }
        : inner.approve(request, signal),
  });
  return { wrapAsk, wrapApprover };
}

function isCommand(target: string): boolean {
  return target.startsWith('command:');
}
