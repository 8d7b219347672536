import type { GrepQuery } from './grep-query.ts';

/** A file that a search found something in. */
export interface FoundFile {
  /** Below the root, without links. */
  readonly path: string;
  /** Its first matches, in order. */
  readonly rows: readonly FoundRow[];
  /** How many it has in all. */
  readonly matches: number;
}

/** A matching line. */
export interface FoundRow {
  /** 1-based. */
  readonly line: number;
  /** As it is shown. */
  readonly text: string;
  /** More of a line that was cut to be shown. */
  readonly long?: string;
}

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

/** Characters kept in front of a match that lies too far right to be shown otherwise. */
const BEFORE = 40;

/** A matching line as it is shown, and, when that is only a part of it, a longer one. */
export interface MatchingText {
  readonly text: string;
  readonly long?: string;
}

/**
 * A matching line as it is shown and as code gets it.
 *
 * @param start index of the match in the line
 * @param width most characters for code
 */
export function matchTexts(line: string, start: number, width: number): MatchingText {
  const text = matchText(line, start, SHOWN);
  return line.trim().length <= SHOWN ? { text } : { text, long: matchText(line, start, width) };
}

/**
 * A matching line as it is shown: without blanks at its ends, no more than a number of characters, moved so that the
 * match is among them.
 *
 * @param start index of the match in the line
 * @param width most characters
 */
export function matchText(line: string, start: number, width: number): string {
  const text = line.trim();
  if (text.length <= width) return text;
  const at = start - (line.length - line.trimStart().length);
  if (at < width - BEFORE) return `${whole(text.slice(0, width - 1))}…`;
  const from = Math.min(at - BEFORE, text.length - width + 1);
  const end = from + width - 2;
  return end >= text.length - 1 ? `…${whole(text.slice(from))}` : `…${whole(text.slice(from, end))}…`;
}

/** Without the half of a surrogate pair that a cut may leave at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
