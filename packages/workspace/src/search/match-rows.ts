import { sortFileMatches, takeByKind } from '@bae/core/pipeline';
import type { FileCount, GrepQuery, MatchedFile, MatchRow } from './grep-query.ts';

/** Default number of shown rows. */
export const MOST_ROWS = 50;
/** Maximum number of rows for code. */
export const MOST_FOR_CODE = 50_000;
/** Maximum row length in characters: first as displayed, then as returned to code. */
export const ROW_WIDTH = 200;
const LONG_WIDTH = 10_000;
/** Maximum total length of all long rows, in characters. */
const ALL_ROWS = 8 * 1024 * 1024;
/** Number of characters kept before a match that would otherwise be cut off on the right. */
const BEFORE = 40;

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

/**
 * Collects the matching rows of a file: the first `most`, and then the first of each kind, up to as many again. Others
 * are only counted, because there may be tens of thousands.
 */
export class RowCollector {
  readonly rows: CollectedRow[] = [];
  readonly #most: number;
  /** The first rows of each kind after the first `most` rows. */
  readonly #firsts = new Map<string | number, CollectedRow>();

  constructor(most = Infinity) {
    this.#most = most;
  }

  /** @param takeKind returns the same for rows that differ only in numbers */
  add(createRow: () => MatchRow, takeKind: () => string | number): void {
    const { rows } = this;
    if (rows.length < this.#most) return void rows.push(createRow());
    const kind = takeKind();
    const first = this.#firsts.get(kind);
    if (first !== undefined) first.alike = (first.alike ?? 0) + 1;
    else if (rows.length < this.#most * 2) {
      const row = createRow();
      rows.push(row);
      this.#firsts.set(kind, row);
    }
  }
}

interface CollectedRow extends Omit<MatchRow, 'alike'> {
  alike?: number;
}

/** Computes the maximum length of a row for code, given the number of all matches. */
export function computeRowWidth({ forCode }: GrepQuery, matches: number): number {
  if (forCode !== true || matches > MOST_FOR_CODE) return ROW_WIDTH;
  return Math.max(ROW_WIDTH, Math.min(LONG_WIDTH, Math.floor(ALL_ROWS / matches)));
}

/** Renders a line with a match at `start` for display, and up to `width` characters for code if that is more. */
export function renderMatch(line: string, start: number, width: number): Omit<MatchRow, 'line'> {
  const text = cutLine(line, start, ROW_WIDTH);
  return line.trim().length <= ROW_WIDTH ? { text } : { text, long: cutLine(line, start, width) };
}

/** Trims a matching line and cuts it to `width` characters around the match at `start`. */
export function cutLine(line: string, start: number, width: number): string {
  const text = line.trim();
  if (text.length <= width) return text;
  const at = start - (line.length - line.trimStart().length);
  if (at < width - BEFORE) return `${stripHalves(text.slice(0, width - 1))}…`;
  const from = Math.min(at - BEFORE, text.length - width + 1);
  const end = from + width - 2;
  return end >= text.length - 1 ? `…${stripHalves(text.slice(from))}` : `…${stripHalves(text.slice(from, end))}…`;
}

/** Strips the half of a surrogate pair that a cut may leave at either end. */
function stripHalves(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
