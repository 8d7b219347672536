import { constants, statfsSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { FileError } from './errors/file-error.ts';
import type { Held } from './held.ts';
import type { Place } from './place.ts';
import { showPath } from './show-path.ts';
import { systemError } from './system-error.ts';

/** What Linux calls the file system whose files are questions to the kernel, some of which never end. */
const PROC = 0x9fa0;

/**
 * Opens a regular file for reading. The caller closes it.
 *
 * A pipe, socket, device or file of the kernel is refused without waiting for it: it is looked at before it is
 * opened, and what is opened is what was looked at.
 *
 * @throws FileError when it is a folder or no regular file, or the system refuses
 */
export async function openFile(place: Place): Promise<FileHandle> {
  const target = readableFile(place);
  try {
    return await target.open(constants.O_RDONLY);
  } catch (error) {
    throw systemError(error, place.given);
  }
}

/**
 * The file in a place, known to be one that can be read without waiting.
 *
 * @throws FileError when it is a folder or no regular file, or the system refuses
 */
export function readableFile({ target, given }: Place): Held {
  if (target === undefined) throw new FileError(`${showPath(given)} does not exist.`, ['<R:.>']);
  refuseOther(target.stats, given);
  try {
    // Such a file takes no room on any disk, which is known already.
    if (target.stats.blocks === 0 && statfsSync(target.address).type === PROC) throw notRegular('kernel file', given);
    return target;
  } catch (error) {
    throw systemError(error, given);
  }
}

/** Refuses what is not a regular file, with the reason. */
export function refuseOther(stats: Stats, given: string): void {
  if (stats.isFile()) return;
  // The root has no name of its own.
  const shown = showPath(given || '.');
  if (stats.isDirectory()) throw new FileError(`${shown} is a folder, not a file.`, [`<R:${shown}>`]);
  throw notRegular(kindOf(stats), given);
}

function notRegular(kind: string, given: string): FileError {
  return new FileError(`${showPath(given)} is a ${kind}, not a file. Only regular files can be used.`, ['<R:.>']);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'pipe';
  if (stats.isSocket()) return 'socket';
  return stats.isSymbolicLink() ? 'link' : 'device';
}
