import type { LineRange } from '../protocol/tool-definition.ts';

/** A target without its line range, or why the range is none. */
type SplitRange = { readonly target: string; readonly range: LineRange | null } | { readonly error: 'bad-range' };

// Longer numbers are no lines, and would not survive as numbers.
const TWO_LINES = /^(.+):(\d{1,15})[-:](\d{1,15})$/s;
const ONE_LINE = /^(.+):(\d{1,15})(-?)$/s;

/**
 * Takes the line range off the end of an argument: `a.py:10-15`, `a.py:10:15`, `a.py:10`, `a.py:10-`.
 *
 * Lines count from 1 and the last one is included. A range from line 0, or that ends before it begins, is
 * an error.
 */
export function splitRange(arg: string): SplitRange {
  const whole = arg.trim();
  const two = TWO_LINES.exec(whole);
  if (two) return ranged(two[1]!, Number(two[2]), Number(two[3]));
  const one = ONE_LINE.exec(whole);
  if (one) return ranged(one[1]!, Number(one[2]), one[3] === '-' ? null : Number(one[2]));
  return { target: whole, range: null };
}

function ranged(target: string, start: number, end: number | null): SplitRange {
  if (start < 1 || (end !== null && end < start)) return { error: 'bad-range' };
  return { target: target.trimEnd(), range: [start, end] };
}
