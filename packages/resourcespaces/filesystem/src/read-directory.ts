import type { ToolContext, ToolOutput } from '@bae/core';
import { showPath, type WorkspaceRoot } from '@bae/workspace';
import { narrowerPattern } from './narrower-pattern.ts';
import { renderRows } from './render-rows.ts';

const MOST_ENTRIES = 100;

/** Shows what is in a folder; folders end with `/`. */
export async function readDirectory(root: WorkspaceRoot, path: string, { tag }: ToolContext): Promise<ToolOutput> {
  const entries = await root.list(path);
  const { path: folder } = await root.info(path);
  const pattern = folder === '' ? '*' : `${folder}/*`;
  const files = entries.map((name) => (folder === '' ? name : `${folder}/${name}`));
  return renderRows(entries, {
    most: MOST_ENTRIES,
    none: '(empty folder)',
    narrow: tag(`<G:${showPath(narrowerPattern(pattern, files))}>`),
  });
}
