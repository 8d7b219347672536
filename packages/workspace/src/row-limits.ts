import type { GrepQuery } from './grep-result.ts';

/** Rows that are shown unless more are asked for. */
export const MOST_ROWS = 50;
/** Rows that code gets at most. */
export const MOST_FOR_CODE = 50_000;
/** Characters of the longest row: as it is shown, and for code. */
export const SHOWN = 200;
const LONG = 10_000;
/** Characters that all long rows may have together. */
const ALL_ROWS = 8 * 1024 * 1024;

/** Most rows to look for, before it is known how many there are. */
export function rowsWanted({ forCode, limit = MOST_ROWS }: GrepQuery): number {
  return forCode === true ? Math.max(limit, MOST_FOR_CODE) : limit;
}

/** Most rows to look for, once it is known: code gets none of too many, and those are left that are shown. */
export function rowsNeeded(query: GrepQuery, matches: number): number {
  return matches > MOST_FOR_CODE ? (query.limit ?? MOST_ROWS) : rowsWanted(query);
}

/** Most characters of a row for code when all are counted. */
export function rowWidth({ forCode }: GrepQuery, matches: number): number {
  if (forCode !== true || matches > MOST_FOR_CODE) return SHOWN;
  return Math.max(SHOWN, Math.min(LONG, Math.floor(ALL_ROWS / matches)));
}
