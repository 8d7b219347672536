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

/**
 * Lets a mode decide before the person does; rules that deny go before it.
 *
 * @param getMode the mode at the moment of a call; `typed` for a call that the person has typed, who is asked only when
 *   there is a reason, such as a secret
 */
export function decideByMode(getMode: () => Mode | 'typed') {
  /** Edits of files are allowed by their mode, unless there is a reason to ask. */
  const wrapAsk =
    (ask: AskPerson): AskPerson =>
    async (request, signal) => {
      const mode = getMode();
      if (request.reason !== undefined) return ask(request, signal);
      if (mode === 'typed') return { decision: 'allow', by: 'person' };
      const isEdit = request.effect === 'write' && !isCommand(request.target);
      return mode === 'edit' && isEdit ? { decision: 'allow', by: 'option' } : ask(request, signal);
    };
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
