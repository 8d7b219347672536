import type { PrunedText } from '../protocol/pruner.ts';
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
