import { WorkspaceRoot } from '@bae/workspace';
import type { Settings } from '../config/settings.ts';
import { createApprover } from './approver.ts';
import { UserRules } from './user-rules.ts';

/** Opens the folder of an agent for what a person attaches, with the same rules about reading as for the agent. */
export function openRestricted(
  { root, approve }: Pick<Settings, 'root' | 'approve'>,
  env: Readonly<Record<string, string | undefined>>,
): WorkspaceRoot {
  const workspace = new WorkspaceRoot(root);
  const userRules = new UserRules(env, root).read();
  const { fileRules = [] } = createApprover({ yes: false, ...(approve && { approve }), userRules, root });
  workspace.restrict(fileRules);
  return workspace;
}
