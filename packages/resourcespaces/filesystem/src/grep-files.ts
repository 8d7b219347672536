import type { ToolContext, ToolOutput } from '@bae/core';
import { counted, showPath, type GrepResult, type WorkspaceRoot } from '@bae/workspace';
import { consentToShow } from './consent-to-show.ts';
import { grepArgument } from './grep-argument.ts';

/** What to search for, and where. */
export interface GrepRequest {
  /** The pattern, or pattern and path as in `TODO src`. */
  readonly argument: string;
  /** File, folder or file pattern, when it is given apart. */
  readonly path: string | undefined;
  /** True to search what `.gitignore` excludes. */
  readonly all: boolean;
}

/**
 * Shows the lines that match a regular expression, with path and number. Files that may hold secrets are
 * searched only when they are named and the user allows it.
 */
export async function grepFiles(root: WorkspaceRoot, request: GrepRequest, context: ToolContext): Promise<ToolOutput> {
  const { argument, all } = request;
  const { pattern, path } = await grepArgument(root, argument, request.path);
  const isNamed = path !== undefined && (await root.exists(path));
  const secrets = isNamed && (await consentToShow(await root.info(path), context));
  const result = await root.grep({ pattern, path, all, secrets, signal: context.signal });
  return { text: renderMatches(result), format: 'plain', rows: result.matches };
}

function renderMatches({ rows, matches, files, searched, withheld }: GrepResult): string {
  const note =
    withheld === 0 ? [] : [`not searched: ${counted(withheld, 'file')} that may hold secrets; name it to ask`];
  if (matches === 0) return ['(no matches)', `searched ${counted(searched, 'file')}`, ...note].join('\n');
  const shown = rows.map(({ path, line, text }) => `${showPath(path)}:${line}: ${text}`);
  if (matches > rows.length) {
    shown.push(`... (${matches} total matches in ${counted(files, 'file')}). Narrow with path=… or a longer pattern.`);
  }
  return [...shown, ...note].join('\n');
}
