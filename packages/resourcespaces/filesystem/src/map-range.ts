import { ConflictError, type LineRange } from '@bae/core';
import type { FileView, LinePatch } from '@bae/workspace';
import { beyond } from './replace-lines.ts';

/**
 * Where lines are by now that a response names by the numbers they had when it was written.
 *
 * @param range lines of the base of the view; the line after its last one appends
 * @param path the file as it is written in messages
 * @throws LineRangeError when the base does not have these lines; ConflictError when an earlier call of the
 *   response has changed one of them
 */
export function mapRange(range: LineRange, { base, current, patches }: FileView, path: string): LineRange {
  const lines = base?.lines ?? 0;
  if (patches.length === 0) return range;
  if (range[0] === lines + 1) return [(current?.lines ?? 0) + 1, null];
  let first = range[0];
  let last = range[1] ?? lines;
  if (Math.max(first, last) > lines) throw beyond(range, lines, path);
  for (const patch of patches) {
    if (first < patch.first + patch.removed && last >= patch.first) throw touched(range, path);
    const shift = first >= patch.first + patch.removed ? shiftOf(patch) : 0;
    first += shift;
    last += shift;
  }
  return [first, last];
}

function shiftOf({ removed, added }: LinePatch): number {
  return added - removed;
}

function touched([start, end]: LineRange, path: string): ConflictError {
  const lines = start === end ? `line ${start}` : `one of the lines ${start}-${end ?? ''}`;
  return new ConflictError(
    `${lines} of ${path} was changed by an earlier call of this response. Read the new lines, then edit them.`,
    [`<R:${path}>`],
  );
}
