import { BaeError, type ToolContext, type ToolOutput } from '@bae/core';
import { showPath, type WorkspaceRoot } from '@bae/workspace';
import { narrowerPattern } from './narrower-pattern.ts';
import { renderRows } from './render-rows.ts';

/** What to list. */
export interface GlobRequest {
  readonly pattern: string;
  /** True to include what `.gitignore` excludes. */
  readonly all: boolean;
}

const MOST_ROWS = 100;

/** Lists the files that match a pattern, sorted. */
export async function globFiles(
  root: WorkspaceRoot,
  request: GlobRequest,
  { signal, tag }: ToolContext,
): Promise<ToolOutput> {
  const paths = await root.glob({ ...request, signal });
  return renderRows(paths, {
    most: MOST_ROWS,
    none: paths.length === 0 ? await nothingFound(root, request.pattern, tag) : '',
    narrow: tag(`<G:${narrowerPattern(request.pattern, paths)}>`),
  });
}

/** A folder, or a folder that is misspelt, is what most often finds nothing. */
async function nothingFound(root: WorkspaceRoot, pattern: string, tag: ToolContext['tag']): Promise<string> {
  const none = '(no matches)';
  const folder = pattern.replace(/\/?[^/]*[*?[{].*$/s, '');
  if (folder === '') return none;
  try {
    const { kind } = await root.info(folder);
    if (kind === 'folder')
      return folder === pattern
        ? `${none}\n${showPath(folder)} is a folder. Try: ${tag(`<G:${showPath(folder)}/**>`)}`
        : none;
    await root.list(folder);
  } catch (error) {
    if (BaeError.is(error)) return `${none}\n${error.message}`;
    throw error;
  }
  return none;
}
