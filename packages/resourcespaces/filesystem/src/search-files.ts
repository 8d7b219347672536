import type { SearchHit } from '@bae/core';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';

/** Lines that have a text in them, each under an address that can be read. */
export async function searchFiles(root: WorkspaceRoot, text: string, limit: number): Promise<readonly SearchHit[]> {
  const { rows } = await root.grep({ pattern: escapePattern(text), limit });
  return rows.map(({ path, line, text }) => ({ target: `${path}:${line}`, text }));
}
