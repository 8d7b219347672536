import { splitLines, type LinePatch } from '@bae/workspace';

/** Which lines are different between two texts: from the first to the last that is. */
export function linePatch(before: string, after: string): LinePatch {
  const [old, now] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let end = 0;
  while (end < shorter - same && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { first: same + 1, removed: old.length - same - end, added: now.length - same - end };
}
