import { sortFileMatches, takeByKind } from '@bae/core/pipeline';
import { ROW_WIDTH } from './collect-rows.ts';
import type { FileCount, GrepQuery, MatchedFile } from './grep-query.ts';

/** Default number of shown rows. */
export const MOST_ROWS = 50;
/** Maximum number of rows for code. */
export const MOST_FOR_CODE = 50_000;
/** Maximum length of a row that is returned to code, in characters. */
const LONG_WIDTH = 10_000;
/** Maximum total length of all long rows, in characters. */
const ALL_ROWS = 8 * 1024 * 1024;

/**
 * Computes the maximum number of rows to find. If there are too many matches for code, only the shown rows are needed.
 */
export function countWantedRows({ forCode, limit = MOST_ROWS }: GrepQuery, matches = 0): number {
  return forCode === true && matches <= MOST_FOR_CODE ? Math.max(limit, MOST_FOR_CODE) : limit;
}

/**
 * Chooses the files whose rows are shown when there are more than `limit`, or more files than `fileLimit`: first one
 * row of every file, then a second one of every file, and so on. The files with the most matches come first.
 *
 * @returns number of rows of each file, by path; files without rows are left out
 */
export function allotRows(files: readonly FileCount[], limit: number, fileLimit = limit): ReadonlyMap<string, number> {
  const allotted = new Map<string, number>();
  if (files.length <= fileLimit && files.reduce((sum, { matches }) => sum + matches, 0) <= limit)
    return new Map(files.map(({ path, matches }) => [path, matches]));
  let open = sortFileMatches(files).slice(0, fileLimit);
  for (let left = limit, round = 1; left > 0 && open.length > 0; round++) {
    const taken = open.slice(0, left);
    for (const { path } of taken) allotted.set(path, round);
    left -= taken.length;
    open = open.filter(({ matches }) => matches > round);
  }
  return allotted;
}

/** Returns the shown rows, by path and line; of a file of which most rows are alike, the first of each kind before others. */
export function takeAllottedRows(
  files: readonly MatchedFile[],
  { limit = MOST_ROWS, fileLimit = limit }: GrepQuery,
): readonly MatchedFile[] {
  const allotted = allotRows(files, limit, fileLimit);
  return files.flatMap(({ rows, ...file }) => {
    const count = allotted.get(file.path);
    return count === undefined ? [] : [{ ...file, rows: takeByKind(rows, count) }];
  });
}

/** Computes the maximum length of a row for code, given the number of all matches. */
export function computeRowWidth({ forCode }: GrepQuery, matches: number): number {
  if (forCode !== true || matches > MOST_FOR_CODE) return ROW_WIDTH;
  return Math.max(ROW_WIDTH, Math.min(LONG_WIDTH, Math.floor(ALL_ROWS / matches)));
}
