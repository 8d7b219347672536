import { openFile } from './open-file.ts';
import { findInside } from './place.ts';
import type { RootFolder } from './root-folder.ts';

/**
 * All bytes of a file that a search came by; undefined when it is too large, a link, or cannot be read.
 *
 * @param path below the root, without links
 * @param largest bytes of the largest file that is read
 */
export async function readWhole(path: string, root: RootFolder, largest: number): Promise<Uint8Array | undefined> {
  try {
    using place = findInside(path, root);
    // The search has seen no link here, so one that is here now was put in the file's place.
    if (place.stats === undefined || place.stats.size > largest || place.path !== path) return undefined;
    await using file = await openFile(place);
    // Memory of its own, so that it can be handed to another thread.
    const buffer = Buffer.allocUnsafeSlow(place.stats.size);
    let size = 0;
    // What the file gets while it is read is left out.
    while (size < buffer.length) {
      const { bytesRead } = await file.read(buffer, size, buffer.length - size, size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return buffer.subarray(0, size);
  } catch {
    return undefined;
  }
}
