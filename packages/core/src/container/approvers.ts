import { approvalPolicy } from '../approval/approval-policy.ts';
import type { Approver } from '../protocol/approver.ts';

/** Lets every call run. For tests, sandboxes, and people who asked for it. */
export const allowAll: Approver = {
  approve: () => ({ allow: true }),
};

/** Refuses everything that needs consent: what an agent does when nobody was named to decide. */
export const readOnly: Approver = approvalPolicy({
  remedy: () => 'To allow it, give createAgent an approver, such as approvalPolicy({ ask }).',
});
