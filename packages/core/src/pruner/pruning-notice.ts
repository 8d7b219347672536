/** What pruning did to a text of several lines. */
interface PruningCounts {
  readonly items: Count;
  readonly headings: Count;
  /** Lines that were shortened. */
  readonly clipped: number;
}

/** How many there were, and how many are left. */
interface Count {
  readonly total: number;
  readonly shown: number;
}

/** The line that ends a pruned text: `[pruned: 200 -> 71 items; full: <R:result:12>]`. */
export function pruningNotice(what: string, ref: string | undefined): string {
  return ref === undefined ? `[pruned: ${what}]` : `[pruned: ${what}; full: <R:${ref}>]`;
}

/** What was removed, in words; empty when no line was removed or shortened. */
export function removedLines({ items, headings, clipped }: PruningCounts): string {
  const parts: string[] = [];
  if (items.shown < items.total) parts.push(`${items.total} -> ${items.shown} items`);
  if (headings.shown < headings.total) parts.push(`${headings.total} -> ${headings.shown} headings`);
  if (clipped > 0) parts.push(`${clipped} long ${clipped === 1 ? 'line' : 'lines'} clipped`);
  return parts.join(', ');
}
