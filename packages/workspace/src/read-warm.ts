import { closeSync, constants, openSync, readSync } from 'node:fs';
import { HeldByDescriptor } from './held-by-descriptor.ts';
import type { Held } from './held.ts';
import { readableFile } from './open-file.ts';
import { findInside } from './place.ts';
import { readWhole } from './read-whole.ts';
import type { RootFolder } from './root-folder.ts';

/**
 * All bytes of a file that another program has read a moment ago, so that they are in memory and it takes less time
 * to get them than to wait for them. Otherwise the same as `readWhole`.
 */
export async function readWarm(path: string, root: RootFolder, largest: number): Promise<Uint8Array | undefined> {
  try {
    using place = findInside(path, root);
    const isWanted = place.stats !== undefined && place.stats.size <= largest && place.path === path;
    // What has a name only can be exchanged between opening and comparing; that is done elsewhere.
    if (place.target instanceof HeldByDescriptor) return isWanted ? readNow(readableFile(place)) : undefined;
  } catch {
    return undefined;
  }
  return readWhole(path, root, largest);
}

function readNow({ address, stats: { size } }: Held): Uint8Array {
  const file = openSync(address, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.allocUnsafe(size);
    return buffer.subarray(0, readSync(file, buffer, 0, size, 0));
  } finally {
    closeSync(file);
  }
}
