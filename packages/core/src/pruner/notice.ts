import type { PrunedText } from '../protocol/pruner.ts';
import { takeFirstUnits, isWithinUnits } from '../text-size/units.ts';

/** What pruning did to a text of several lines. */
interface PruningCounts {
  readonly items: Count;
  readonly headings: Count;
  /** Lines that were shortened. */
  readonly clipped: number;
}

interface Count {
  readonly total: number;
  readonly shown: number;
}

/** The last line of a pruned text: `[pruned: 200 -> 71 items; full: <R:result:12>]`. */
export function formatNotice(removed: string, ref: string | undefined): string {
  return ref === undefined ? `[pruned: ${removed}]` : `[pruned: ${removed}; full: <R:${ref}>]`;
}

/** Describes what was removed; empty when no line was removed or shortened. */
export function describeRemoved({ items, headings, clipped }: PruningCounts): string {
  const parts: string[] = [];
  if (items.shown < items.total) parts.push(`${items.total} -> ${items.shown} items`);
  if (headings.shown < headings.total) parts.push(`${headings.total} -> ${headings.shown} headings`);
  if (clipped > 0) parts.push(`${clipped} long ${clipped === 1 ? 'line' : 'lines'} clipped`);
  return parts.join(', ');
}

interface RemovedText {
  readonly removed: string;
  readonly ref: string | undefined;
  readonly cap: number;
  readonly total: number;
}

/** The result when no line of the text fits: the notice, without its handle or cut where even that is too long. */
export function replaceByNotice({ removed, ref, cap, total }: RemovedText): PrunedText {
  const full = formatNotice(removed, ref);
  const indicator = isWithinUnits(full, cap) ? full : takeFirstUnits(formatNotice(removed, undefined), cap);
  return { text: indicator, report: { total, shown: 0, indicator } };
}
