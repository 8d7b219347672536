import type { LineRange } from '../protocol/tool-definition.ts';

/** A target without its line range, or why the range is invalid. */
export type SplitRange =
  | { readonly target: string; readonly range: LineRange | null }
  | { readonly error: 'bad-range' };

// Longer numbers are no line numbers, and would lose precision.
const RANGE = /^(.+?):(\d{1,15})(?:(-)|[-:](\d{1,15}))?$/s;

/**
 * Takes the line range off the end of an argument: `a.py:10-15`, `a.py:10:15`, `a.py:10`, `a.py:10-`.
 *
 * Lines count from 1 and the last one is included. A range that starts at line 0, or ends before it starts,
 * is an error.
 */
export function splitRange(arg: string): SplitRange {
  const whole = arg.trim();
  const [, target, first, open, last = first] = RANGE.exec(whole) ?? [];
  if (target === undefined) return { target: whole, range: null };
  const [start, end] = [Number(first), open === undefined ? Number(last) : null];
  if (start < 1 || (end !== null && end < start)) return { error: 'bad-range' };
  return { target: target.trimEnd(), range: [start, end] };
}

/** A pattern and the path to search; `path` is null for everywhere. */
export interface SplitGrep {
  readonly pattern: string;
  readonly path: string | null;
}

/**
 * Takes the path off the end of a search: `"import x" in src`, or `TODO src` when `src` exists.
 *
 * @param exists returns whether a path exists
 */
export function splitGrep(arg: string, exists: (path: string) => boolean): SplitGrep {
  const whole = arg.trim();
  return splitQuoted(whole, exists) ?? splitLastWord(whole, exists);
}

function splitQuoted(whole: string, exists: (path: string) => boolean): SplitGrep | undefined {
  const mark = whole.charAt(0);
  if (mark !== '"' && mark !== "'" && mark !== '`') return undefined;
  const end = findQuoteEnd(whole, mark);
  if (end === -1) return undefined;
  const pattern = whole.slice(1, end);
  const rest = whole.slice(end + 1).trim();
  const path = unquote(rest.replace(/^in\s+/, ''));
  if (path === '') return { pattern, path: null };
  // Several words that are no path belong to the pattern: `"a" or "b"`.
  return /\s/.test(path) && !exists(path) ? undefined : { pattern, path };
}

/** Index of the quote that ends a quoted pattern: the next one with a blank or nothing behind it. */
function findQuoteEnd(whole: string, mark: string): number {
  let end = whole.indexOf(mark, 2);
  while (end !== -1 && end + 1 < whole.length && !/\s/.test(whole.charAt(end + 1))) end = whole.indexOf(mark, end + 1);
  return end;
}

function splitLastWord(whole: string, exists: (path: string) => boolean): SplitGrep {
  const words = /^(.*\S)\s+(\S+)$/s.exec(whole);
  const path = words?.[2];
  if (!words || path === undefined || !exists(path)) return { pattern: whole, path: null };
  return { pattern: words[1]!, path };
}

function unquote(path: string): string {
  const mark = path.charAt(0);
  const isQuoted = path.length > 1 && (mark === '"' || mark === "'" || mark === '`') && path.endsWith(mark);
  return isQuoted ? path.slice(1, -1) : path;
}
