import { unifiedDiff } from '@bae/workspace';

const MOST_LINES = 20;

/** What is different between two texts, at most 20 lines of it. */
export function shortDiff(before: string, after: string): string {
  const lines = unifiedDiff({ path: '', before, after }).split('\n').slice(2, -1);
  const more = lines.length - MOST_LINES;
  if (more <= 0) return lines.join('\n');
  return [...lines.slice(0, MOST_LINES), `… ${more} more lines of changes`].join('\n');
}
