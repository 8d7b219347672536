import type { ToolContext } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';

/**
 * Asks the user before the content of what may be a secret is shown.
 *
 * @returns true when it may be one, and may be shown; false for everything else
 * @throws ApprovalError when it may not be shown
 */
export async function consentToShow(
  root: WorkspaceRoot,
  path: string,
  { requestApproval }: Pick<ToolContext, 'requestApproval'>,
): Promise<boolean> {
  const secrecy = await root.secrecy(path);
  if (secrecy === undefined) return false;
  const { path: real, kind } = await root.info(path);
  // What is not there has nothing to show; what it fails with says so.
  if (kind === 'missing') return false;
  await requestApproval(`it ${secrecy}`, real);
  return true;
}
