import type { ToolContext, ToolOutput } from '@bae/core';
import {
  counted,
  showPath,
  tooManyMatches,
  type GrepResult,
  type GrepRow,
  type SentSearch,
  type WorkspaceRoot,
} from '@bae/workspace';
import { consentToShow } from './consent-to-show.ts';
import { grepArgument } from './grep-argument.ts';
import { narrowerSearch } from './narrower-search.ts';

/** What to search for, and where: a file, a folder or a file pattern. */
export interface GrepRequest extends SentSearch {
  /** True to search what `.gitignore` excludes. */
  readonly all: boolean;
}

/**
 * Shows the lines that match a regular expression, with path and number; code gets all of them. Files that may hold
 * secrets are searched only when they are named and the user allows it.
 */
export async function grepFiles(root: WorkspaceRoot, request: GrepRequest, context: ToolContext): Promise<ToolOutput> {
  const { all } = request;
  const { pattern, path } = await grepArgument(root, request);
  const isNamed = path !== undefined && (await root.exists(path));
  const info = isNamed ? await root.info(path) : undefined;
  const secrets = info !== undefined && (await consentToShow(info, context));
  const { signal, fromCode } = context;
  const result = await root.grep({ pattern, path, all, secrets, signal, forCode: fromCode });
  const output = { text: renderMatches(result), format: 'plain', rows: result.matches } as const;
  if (!fromCode) return output;
  const whole = () => {
    if (result.all !== undefined) return result.all.map(renderRow).join('\n');
    const { matches, files, rows } = result;
    const within = counted(files, 'file');
    const narrower = narrowerSearch(rows, { pattern, all, path, isFolder: info?.kind === 'folder' });
    const [first] = rows as readonly [GrepRow];
    const place = `<R:${showPath(first.path)}:${first.line}>`;
    throw tooManyMatches({ matches, within, place, narrower });
  };
  return { ...output, whole };
}

function renderMatches({ rows, matches, files, searched, withheld }: GrepResult): string {
  const note =
    withheld === 0 ? [] : [`not searched: ${counted(withheld, 'file')} that may hold secrets; name it to ask`];
  if (matches === 0) return ['(no matches)', `searched ${counted(searched, 'file')}`, ...note].join('\n');
  const shown = rows.map(({ path, line, text }) => renderRow({ path, line, text }));
  if (matches > rows.length) {
    shown.push(`... (${matches} total matches in ${counted(files, 'file')}). Narrow with path=… or a longer pattern.`);
  }
  return [...shown, ...note].join('\n');
}

function renderRow({ path, line, text, long = text }: GrepRow): string {
  return `${showPath(path)}:${line}: ${long}`;
}
