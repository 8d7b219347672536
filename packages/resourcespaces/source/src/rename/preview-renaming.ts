import { showPath, unifiedDiff } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { planRenaming, type Renaming } from './plan-renaming.ts';

/**
 * Shows what a renaming would change, and changes nothing.
 *
 * @throws what the renaming would fail with
 */
export async function previewRenaming(base: CodeBase, renaming: Renaming): Promise<string> {
  const { modules } = await planRenaming(base, renaming);
  const diffs = modules.map(({ source, after }) => {
    return unifiedDiff({ path: showPath(source.module.path), before: source.text, after });
  });
  return diffs.join('');
}
