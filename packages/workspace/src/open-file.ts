import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { FileError } from './errors/file-error.ts';
import type { Place } from './place.ts';
import { showPath } from './show-path.ts';
import { systemError } from './system-error.ts';

/**
 * Opens a regular file for reading. The caller closes it.
 *
 * A pipe, socket or device is refused without waiting for it: it is looked at before opening, opened
 * without blocking, and looked at again.
 *
 * @throws FileError when it is a folder or no regular file, or the system refuses
 */
export async function openFile(place: Place): Promise<FileHandle> {
  refuseOther(place.stats as Stats, place.given);
  let handle: FileHandle | undefined;
  try {
    handle = await open(place.absolute, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    refuseOther(await handle.stat(), place.given);
    return handle;
  } catch (error) {
    await handle?.close();
    throw systemError(error, place.given);
  }
}

/** Refuses what is not a regular file, with the reason. */
export function refuseOther(stats: Stats, given: string): void {
  if (stats.isFile()) return;
  const shown = showPath(given);
  if (stats.isDirectory()) throw new FileError(`${shown} is a folder, not a file.`, [`<R:${shown}>`]);
  throw new FileError(`${shown} is a ${kindOf(stats)}, not a file. Only regular files can be used.`, ['<R:.>']);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'pipe';
  if (stats.isSocket()) return 'socket';
  return stats.isSymbolicLink() ? 'link' : 'device';
}
