import { showPath, unifiedDiff } from '@bae/workspace';
import type { NewSpace } from './new-space.ts';
import { planScaffold } from './plan-scaffold.ts';

/**
 * Shows the files of a new space, and writes none.
 *
 * @throws what making it would fail with
 */
export async function previewScaffold(space: NewSpace): Promise<string> {
  const { files } = await planScaffold(space);
  return files.map(({ path, text }) => unifiedDiff({ path: showPath(path), before: undefined, after: text })).join('');
}

/**
 * What making a space is about, for rules over consent. No rule for some files may allow it, and every rule that
 * forbids some forbids it, since it makes several files: it is no plain path.
 *
 * @throws what making it would fail with
 */
export async function scaffoldScope(space: NewSpace): Promise<string> {
  const { folder } = await planScaffold(space);
  return `${folder}/../(a new resourcespace)`;
}
