import type { Stats } from 'node:fs';

/** How old a change must be, in milliseconds, for the clock of the disk to tell it from one that follows. */
const SETTLED_MS = 100;

let unsettled = 0;

/**
 * A text that is another one after a file was changed: what the disk says of it without its content.
 *
 * A file that was changed a moment ago has another stamp each time, because two changes within one tick of the
 * disk's clock would look the same.
 */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const stamp = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  return Math.abs(Date.now() - ctimeMs) < SETTLED_MS ? `${stamp}:${++unsettled}` : stamp;
}
