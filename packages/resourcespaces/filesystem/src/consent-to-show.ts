import type { ToolContext } from '@bae/core';
import type { PathInfo } from '@bae/workspace';

/**
 * Asks the user before the content of what may be a secret is shown.
 *
 * @returns true when it may be one, and may be shown; false for everything else
 * @throws ApprovalError when it may not be shown
 */
export async function consentToShow(
  { path, kind, secrecy }: PathInfo,
  { requestApproval }: Pick<ToolContext, 'requestApproval'>,
): Promise<boolean> {
  // What is not there has nothing to show; what it fails with says so.
  if (secrecy === undefined || kind === 'missing') return false;
  await requestApproval(`it ${secrecy}`, path);
  return true;
}
