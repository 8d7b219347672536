import type { ApprovalRules, ApproveSetting } from './bae-config.ts';

/** The rules of a setting; none for one that is a word. */
export function rulesOf(approve: ApproveSetting | undefined): ApprovalRules {
  if (approve === undefined || typeof approve === 'string') return [];
  return 'rules' in approve ? approve.rules : approve;
}
