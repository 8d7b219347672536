import type { Approver } from '../protocol/approver.ts';

/** Lets every call run. For tests, sandboxes, and people who asked for it. */
export const allowAll: Approver = {
  approve: () => ({ allow: true }),
};

/** Refuses every call that changes something: what an agent does when nobody was named to decide. */
export const readOnly: Approver = {
  approve: ({ tool, effect }) => ({
    allow: false,
    reason: `${tool} has the effect '${effect}', and this agent may only read; nobody is there to allow it.`,
  }),
};
