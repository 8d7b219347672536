import type { ToolOutput } from '@bae/core';
import { showPath, type GrepResult, type WorkspaceRoot } from '@bae/workspace';
import { counted } from './counted.ts';
import { grepArgument } from './grep-argument.ts';

/** What to search for, and where. */
export interface GrepRequest {
  /** The pattern, or pattern and path as in `TODO src`. */
  readonly argument: string;
  /** File, folder or file pattern, when it is given apart. */
  readonly path: string | undefined;
  /** True to search what `.gitignore` excludes. */
  readonly all: boolean;
  readonly signal: AbortSignal;
}

/** Shows the lines that match a regular expression, with path and number. */
export async function grepFiles(root: WorkspaceRoot, request: GrepRequest): Promise<ToolOutput> {
  const { argument, all, signal } = request;
  const { pattern, path } = await grepArgument(root, argument, request.path);
  const result = await root.grep({ pattern, path, all, signal });
  return { text: renderMatches(result), format: 'plain', rows: result.matches };
}

function renderMatches({ rows, matches, files, searched }: GrepResult): string {
  if (matches === 0) return `(no matches)\nsearched ${counted(searched, 'file')}`;
  const shown = rows.map(({ path, line, text }) => `${showPath(path)}:${line}: ${text}`);
  if (matches > rows.length) {
    shown.push(`... (${matches} total matches in ${counted(files, 'file')}). Narrow with path=… or a longer pattern.`);
  }
  return shown.join('\n');
}
