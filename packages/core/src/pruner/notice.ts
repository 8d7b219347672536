import type { PrunedText } from '../protocol/tool-result.ts';
import { formatCount, formatRanges, isWithinUnits, takeFirstUnits, type Lines } from '../text-size/text-size.ts';

/** Limit of a pruned text, and the handle of the whole text. */
export interface PruneLimits {
  readonly cap: number;
  readonly ref: string | undefined;
}

interface Count {
  readonly total: number;
  readonly shown: number;
}

interface PruningCounts {
  readonly items: Count;
  readonly headings: Count;
  /** Number of lines that were shortened. */
  readonly clipped: number;
}

/** Formats the last line of a pruned text: `[pruned: 200 -> 71 items; full: <R:result:12>]`. */
export function formatNotice(removed: string, ref: string | undefined): string {
  return ref === undefined ? `[pruned: ${removed}]` : `[pruned: ${removed}; full: <R:${ref}>]`;
}

/** Lines of a text, and which of them are shown. */
interface ShownLines {
  readonly lines: readonly string[];
  /** Number of lines of the text before these. Default: 0 */
  readonly leading?: number;
  readonly isShown: (index: number) => boolean;
}

/** Maximum number of gaps in a text that the tag for what is missing names: each takes a few tokens. */
const MOST_GAPS = 3;
/** Minimum number of shown lines before the first of several gaps, except in rows: what is before them says little. */
const MANY_SHOWN = 5;

/**
 * Formats the tag that shows exactly what is missing, `; rest: <R:result:1:4-9,41-64>`; of many gaps, those that are
 * closest together are one range with what is shown between them. Empty if there is no handle, or if that would be
 * almost the whole text.
 *
 * @param mostOfRows maximum number of gaps between the rows of a search; undefined for any other text
 */
export function formatRest(text: ShownLines, ref: string | undefined, mostOfRows?: number): string {
  const { leading = 0 } = text;
  const gaps = listGaps(text);
  const [first] = gaps;
  if (ref === undefined || first === undefined) return '';
  if (mostOfRows === undefined && gaps.length > 1 && first.first <= MANY_SHOWN) return '';
  const most = mostOfRows ?? (gaps.length > MOST_GAPS ? 1 : MOST_GAPS);
  const numbers = joinGaps(gaps, most).map(({ first, last }) => ({ first: leading + first, last: leading + last }));
  return `; rest: <R:${ref}:${formatRanges(numbers)}>`;
}

/** Lists the gaps between the lines that are shown; blank lines are no loss. */
function listGaps({ lines, isShown }: ShownLines): readonly Lines[] {
  const gaps: Lines[] = [];
  for (let start = 0, end = 0; start < lines.length; start = end + 1) {
    for (end = start; end < lines.length && !isShown(end); end++);
    if (lines.slice(start, end).some((line) => line.trim() !== '')) gaps.push({ first: start + 1, last: end });
  }
  return gaps;
}

/** Joins the gaps that are closest together until there are at most so many. */
function joinGaps(gaps: readonly Lines[], most: number): readonly Lines[] {
  const distance = (index: number) => gaps[index + 1]!.first - gaps[index]!.last;
  const between = [...gaps.keys()].slice(0, -1).toSorted((a, b) => distance(b) - distance(a));
  const separate = new Set(between.slice(0, most - 1));
  const joined: Lines[] = [];
  for (const [index, gap] of gaps.entries()) {
    const before = separate.has(index - 1) ? undefined : joined.pop();
    joined.push(before === undefined ? gap : { first: before.first, last: gap.last });
  }
  return joined;
}

/** Describes what was removed; empty if no line was removed or shortened. */
export function describeRemoved({ items, headings, clipped }: PruningCounts): string {
  const parts: string[] = [];
  if (items.shown < items.total) parts.push(`${items.total} -> ${items.shown} items`);
  if (headings.shown < headings.total) parts.push(`${headings.total} -> ${headings.shown} headings`);
  if (clipped > 0) parts.push(`${formatCount(clipped, 'long line')} clipped`);
  return parts.join(', ');
}

/** Returns the result if no line fits: only the notice, without the handle or shortened if even that is too long. */
export function replaceByNotice(removed: string, total: number, { cap, ref }: PruneLimits): PrunedText {
  const full = formatNotice(removed, ref);
  const indicator = isWithinUnits(full, cap) ? full : takeFirstUnits(formatNotice(removed, undefined), cap);
  return { text: indicator, report: { total, shown: 0, indicator } };
}
