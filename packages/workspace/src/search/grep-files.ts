import { TimeoutError } from '@bae/core';
import { scopeFolder } from '../list/search-scope.ts';
import { walkFolders } from '../list/walk-folders.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import { containPath, appendPath } from '../path/root-folder.ts';
import { canBeSlow, checkPattern, suggestPlainSearch } from './check-pattern.ts';
import {
  listSearchedFiles,
  type GrepJob,
  type GrepResult,
  type GrepRow,
  type Matches,
  type MatchedFile,
} from './grep-query.ts';
import { MOST_FOR_CODE, takeAllottedRows } from './match-rows.ts';
import { searchWithRe2 } from './re2-search.ts';
import { searchWithRipgrep } from './ripgrep-search.ts';

/** Time limit of an engine for one expression, in milliseconds, so that the result is available within two seconds. */
const LIMIT_MS = 1500;

/**
 * Searches text files line by line. Binary files are left out, and files over 256 MB unless a path names them. A named
 * file, folder or pattern is searched again, including ignored files, if nothing else matches.
 *
 * @param program path of ripgrep; undefined searches without it
 * @throws PatternError when the pattern cannot be used; PathError when a file pattern leaves the workspace;
 *   TimeoutError when it takes too long
 */
export async function runGrep(job: GrepJob, program: string | undefined): Promise<GrepResult> {
  const { ignoredPaths, ...result } = await searchOnce(job, program);
  const { query, target } = job;
  const isComplete =
    query.text !== undefined || query.all === true || target?.stats?.isFile() === true || ignoredPaths?.length === 0;
  if (result.matches > 0 || isComplete) return result;
  if (query.path === undefined || target?.path === '')
    return { ...result, ignored: await countIgnored(job, ignoredPaths) };
  const { ignoredPaths: _, ...found } = await searchOnce({ ...job, query: { ...query, all: true } }, program);
  return found.matches > 0 ? { ...found, onlyIgnored: true } : found;
}

/** Counts the files that ignore rules exclude from a search of the workspace. */
async function countIgnored(job: GrepJob, paths: readonly string[] | undefined): Promise<number> {
  const { query, root } = job;
  const { signal } = query;
  if (paths === undefined) {
    const everything = { ...job, query: { ...query, all: true } };
    const [all, some] = await Promise.all([everything, job].map((one) => listSearchedFiles(one, signal)));
    return all!.paths.length - some!.paths.length;
  }
  let count = 0;
  for (const path of paths) {
    using entry = resolveBelowRoot(path, root);
    if (entry.stats?.isDirectory() === true) {
      count += (await walkFolders(await scopeFolder(entry.path, root, { all: true }), root, { signal })).length;
    } else if (entry.stats?.isFile() === true) count++;
  }
  return count;
}

async function searchOnce(
  job: GrepJob,
  program: string | undefined,
): Promise<GrepResult & Pick<Matches, 'ignoredPaths'>> {
  const { query, target } = job;
  checkPattern(query.pattern, query.reading);
  if (query.secrets !== true && target?.protection?.secret === true) {
    return { rows: [], matches: 0, files: [], searched: 0, withheld: [query.path ?? target.path] };
  }
  const search = (signal: AbortSignal | undefined) =>
    program === undefined ? searchWithRe2(job, signal) : searchWithRipgrep(job, program, signal);
  // A search for plain text has no time limit.
  const isLimited = query.isOwn !== true && canBeSlow(query.pattern);
  const { found, ...totals } = await (isLimited ? runWithTimeout(job, search) : search(query.signal));
  const named = found.map((file) => ({ ...file, path: spellAsAsked(file.path, job) }));
  const shown = takeAllottedRows(named, query);
  const rows = listRows(shown).map(({ path, line, text, alike = 0 }) => ({
    path,
    line,
    text,
    ...(alike > 0 && { alike }),
  }));
  const isAll = query.forCode === true && totals.matches <= MOST_FOR_CODE;
  const files = named.map(({ path, matches, hash }) => ({ path, matches, ...(hash !== undefined && { hash }) }));
  // Engines meet files in any order.
  const withheld = totals.withheld.toSorted();
  return { rows, ...(isAll && { all: listRows(named) }), ...totals, withheld, files };
}

function listRows(files: readonly MatchedFile[]): readonly GrepRow[] {
  return files.flatMap(({ path, rows }) => rows.map((row) => ({ path, ...row })));
}

/** Returns the path of a found file as spelled in the request, if the requested path contains a link. */
function spellAsAsked(path: string, { target, root }: GrepJob): string {
  if (target === undefined) return path;
  const asked = containPath(target.given, root.names);
  if (asked === target.path) return path;
  const below = path.slice(target.path.length).replace(/^\//, '');
  return below === '' ? asked : appendPath(asked, below);
}

/** Runs a search with a signal that also aborts when it takes too long. */
async function runWithTimeout<T>(
  { query: { signal, pattern }, limitMs = LIMIT_MS }: GrepJob,
  search: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await search(signal === undefined ? limit : AbortSignal.any([limit, signal]));
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true) throw error;
    const message = `grep exceeded ${limitMs / 1000}s. Narrow the path, or search for a plainer pattern.`;
    throw new TimeoutError(message, [suggestPlainSearch(pattern)], error);
  }
}
