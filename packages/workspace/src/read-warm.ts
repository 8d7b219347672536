import { HeldByDescriptor } from './held-by-descriptor.ts';
import { readableFile } from './open-file.ts';
import { findInside } from './place.ts';
import { readNow } from './read-now.ts';
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
