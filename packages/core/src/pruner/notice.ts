import type { PrunedText } from '../protocol/tool-result.ts';
import { formatCount, isWithinUnits, takeFirstUnits } from '../text-size/text-size.ts';

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

/** Minimum number of shown lines before the first gap for which a range over several gaps is offered. */
const MANY_SHOWN = 5;

/**
 * Formats the tag that shows what is missing, `; rest: <R:result:1:41-64>`: from the first missing line to the last. Empty
 * if there is no handle, or if the range would be almost the whole text.
 */
export function formatRest({ lines, leading = 0, isShown }: ShownLines, ref: string | undefined): string {
  if (ref === undefined) return '';
  const isMissing = (index: number): boolean => !isShown(index) && lines[index]!.trim() !== '';
  const missing = [...lines.keys()].filter(isMissing);
  const [first] = missing;
  const last = missing.at(-1);
  if (first === undefined || last === undefined) return '';
  const isOneGap = missing.length === lines.slice(first, last + 1).filter((line) => line.trim() !== '').length;
  if (!isOneGap && first < MANY_SHOWN) return '';
  return `; rest: <R:${ref}:${leading + first + 1}-${leading + last + 1}>`;
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
