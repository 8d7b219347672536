import type { ApprovalRequest, Approver } from '@bae/core';
import type { AskPerson } from './approver.ts';
import { isCommand } from './user-rules.ts';

/** Modes that determine the handling of calls that need consent. */
export const MODES = [
  { id: 'ask', name: 'Ask', description: 'Ask before anything changes' },
  { id: 'edit', name: 'Accept edits', description: 'Change files without asking; ask for everything else' },
  { id: 'plan', name: 'Plan', description: 'Only read, and end with a plan to approve' },
] as const;

export type Mode = (typeof MODES)[number]['id'];

/** Returns the mode after another one, in the order of `MODES`. */
export function nextMode(mode: Mode): Mode {
  const at = MODES.findIndex(({ id }) => id === mode);
  return MODES[(at + 1) % MODES.length]!.id;
}

/** Text below a question in the mode `plan`, which makes the plan in the response recognizable. */
export const PLAN_REQUEST =
  '[The mode is plan: only read. When something is to be changed, end with a heading "# Plan" and numbered steps that ' +
  'name the files. Nothing is changed before the user has approved it.]';
/** Message to the model after its plan was approved. */
export const CARRY_OUT = 'The plan is approved. Carry it out.';

/** Returns true for a text that ends with a plan. */
export function hasPlan(text: string): boolean {
  return /^#{1,4} *plan\b/im.test(text);
}

/**
 * Lets a mode decide before the person is asked. Rules that deny take precedence.
 *
 * @param getMode returns the mode at the time of a call; `typed` for a call that the person typed, who is asked only if
 * there is a reason, such as a secret
 */
export function decideByMode(getMode: () => Mode | 'typed') {
  /** Edits of files are allowed by their mode, unless there is a reason to ask. */
  const findConsent = ({ effect, reason, target }: ApprovalRequest): 'person' | 'option' | undefined => {
    const mode = getMode();
    if (reason !== undefined) return undefined;
    if (mode === 'typed') return 'person';
    return mode === 'edit' && effect === 'write' && !isCommand(target) ? 'option' : undefined;
  };
  const wrapAsk =
    (ask: AskPerson): AskPerson =>
    async (request, signal) => {
      const by = findConsent(request);
      return by === undefined ? ask(request, signal) : { decision: 'allow', by };
    };
  const refuse = ({ tool, effect }: ApprovalRequest) =>
    getMode() === 'plan' && effect !== 'read'
      ? ({
          allow: false,
          by: 'option',
          reason: `${tool} was not run: the mode is plan, which only reads. End with a heading "# Plan" and numbered steps.`,
        } as const)
      : undefined;
  const wrapApprover = (inner: Approver): Approver => ({
    ...inner,
    ...(inner.decide && {
      decide: (request) => {
        const decided = refuse(request) ?? inner.decide!(request);
        const by = decided === undefined ? findConsent(request) : undefined;
        return by === undefined ? decided : { allow: true, by };
      },
    }),
    approve: (request, signal) => refuse(request) ?? inner.approve(request, signal),
  });
  return { wrapAsk, wrapApprover };
}
