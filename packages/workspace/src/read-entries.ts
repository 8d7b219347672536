import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { FileError } from './errors/file-error.ts';
import type { Place } from './place.ts';
import { showPath } from './show-path.ts';
import { systemError } from './system-error.ts';

/**
 * What is in a folder, in no order.
 *
 * @throws FileError when it is no folder, or the system refuses
 */
export async function readEntries({ target, given }: Place): Promise<Dirent[]> {
  if (target?.stats.isDirectory() !== true) {
    throw new FileError(`${showPath(given)} is not a folder.`, [`<R:${showPath(given)}>`]);
  }
  try {
    const entries = await readdir(target.address, { withFileTypes: true });
    await target.confirm();
    return entries;
  } catch (error) {
    throw systemError(error, given);
  }
}
