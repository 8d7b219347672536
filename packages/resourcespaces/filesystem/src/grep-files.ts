import type { SearchHit, ToolContext, ToolOutput } from '@bae/core';
import {
  formatQuantity,
  escapePattern,
  type GrepResult,
  type GrepRow,
  createSearchArgument,
  formatPath,
  createTooManyMatchesError,
  type WorkspaceRoot,
} from '@bae/workspace';
import { consentToShow } from './file-target.ts';
import { createNarrowerPattern } from './glob-files.ts';

/** What to search for, and where: a file, a folder or a file pattern. */
interface GrepRequest {
  /** The pattern, or pattern and place as in `TODO src`. */
  readonly argument: string;
  /** The place, when it is given apart; then all of the argument is the pattern. */
  readonly path: string | undefined;
  readonly all: boolean;
}

const TOKENS_PER_MATCH = 10;

/**
 * Shows the lines that match a regular expression, with path and number; code gets all of them. Files that may hold
 * secrets are searched only when they are named and the user allows it.
 */
export async function grepFiles(root: WorkspaceRoot, request: GrepRequest, context: ToolContext): Promise<ToolOutput> {
  const { all } = request;
  // A last word is the path when something has that path.
  const { pattern, path, none } = createSearchArgument(request, (word) => isThere(root, word));
  const isNamed = path !== undefined && (await root.exists(path));
  const info = isNamed ? await root.info(path) : undefined;
  const secrets = info !== undefined && (await consentToShow(info, context));
  const { signal, fromCode, answerLimit } = context;
  const limit = Math.ceil(answerLimit / TOKENS_PER_MATCH);
  const result = await root.grep({ pattern, path, all, secrets, signal, limit, forCode: fromCode });
  const output = { text: renderGrepResult(result, none), format: 'plain', rows: result.matches } as const;
  if (!fromCode) return output;
  const whole = () => {
    if (result.all !== undefined) return result.all.map(formatMatch).join('\n');
    const { matches, files, rows } = result;
    const within = formatQuantity(files, 'file');
    const narrower = createNarrowerSearch(rows, { pattern, all, path, isFolder: info?.kind === 'folder' });
    const [first] = rows as readonly [GrepRow];
    const place = `<R:${formatPath(first.path)}:${first.line}>`;
    throw createTooManyMatchesError({ matches, within, place, narrower });
  };
  return { ...output, whole };
}

function renderGrepResult({ rows, matches, files, searched, withheld }: GrepResult, none: string): string {
  const note =
    withheld === 0 ? [] : [`not searched: ${formatQuantity(withheld, 'file')} that may hold secrets; name it to ask`];
  if (matches === 0) return [none, `searched ${formatQuantity(searched, 'file')}`, ...note].join('\n');
  const shown = rows.map(({ path, line, text }) => formatMatch({ path, line, text }));
  if (matches > rows.length) {
    shown.push(
      `... (${matches} total matches in ${formatQuantity(files, 'file')}). Narrow with path=… or a longer pattern.`,
    );
  }
  return [...shown, ...note].join('\n');
}

function formatMatch({ path, line, text, long = text }: GrepRow): string {
  return `${formatPath(path)}:${line}: ${long}`;
}

function isThere(root: WorkspaceRoot, word: string): boolean {
  try {
    return root.open(word).info.kind !== 'missing';
  } catch {
    return false;
  }
}

/**
 * The tag of the same search in a part of what was searched that has matches; undefined when its first rows are all in
 * one file, or when it cannot be written as a tag.
 *
 * @param rows the first rows that it found
 */
function createNarrowerSearch(
  rows: readonly GrepRow[],
  {
    pattern,
    all,
    path,
    isFolder,
  }: Omit<GrepRequest, 'argument'> & { readonly pattern: string; readonly isFolder: boolean },
): string | undefined {
  const files = [...new Set(rows.map((row) => row.path))];
  if (files.length < 2 || /[<>"\p{Cc}]/u.test(pattern)) return undefined;
  const folder = path === undefined ? '' : `${path.replace(/\/+$/, '')}/`;
  const searched = path === undefined || isFolder ? `${folder}**` : path;
  const part = createNarrowerPattern(searched, files);
  if (part === searched) return undefined;
  const shown = /\s/.test(part) ? `"${formatPath(part)}"` : formatPath(part);
  return `<Grep:${pattern} path=${shown}${all ? ' all=true' : ''}>`;
}

/** Lines that have a text in them, each under an address that can be read. */
export async function searchFiles(root: WorkspaceRoot, text: string, limit: number): Promise<readonly SearchHit[]> {
  const { rows } = await root.grep({ pattern: escapePattern(text), limit });
  return rows.map(({ path, line, text }) => ({ target: `${path}:${line}`, text }));
}
