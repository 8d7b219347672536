import { rmdir } from 'node:fs/promises';
import { renameSync, unlinkSync } from 'node:fs';
import { findInside, type Place } from '../place.ts';
import type { RootFolder } from '../root-folder.ts';
import { systemError } from '../system-error.ts';
import { actIfUnchanged } from '../unchanged-file.ts';
import { writeAtomically } from '../write-atomically.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';

/** What a file is to become. */
export interface Replacement {
  readonly content: Uint8Array;
  /** SHA-256 of what it has to be until then; null for nothing. */
  readonly expected: string | null;
  /** Permission bits of a file that is new. Default: what the process gives. */
  readonly mode?: number | undefined;
  /** True to replace also a file that nobody may write. */
  readonly force?: boolean | undefined;
}

/**
 * Puts content in a file's place, unless the file is not what is expected when it comes to it.
 *
 * @throws ConflictError when it is not; the file is left as it is
 */
export async function replaceFile(place: Place, { content, expected, mode, force }: Replacement): Promise<void> {
  const settle = async (temporary: string, path: string): Promise<void> => {
    const rename = () => renameSync(temporary, path);
    if (!(await actIfUnchanged({ path, hash: expected }, rename))) throw changedMeanwhile(place);
  };
  await writeAtomically(place, { content, mode, force, settle });
}

/**
 * Removes a file, unless it is not what is expected when it comes to it.
 *
 * @throws ConflictError when it is not; the file is left as it is
 */
export async function removeFile(place: Place, expected: string | null): Promise<void> {
  try {
    await place.folder.confirm();
    const path = place.folder.at(place.name);
    if (!(await actIfUnchanged({ path, hash: expected }, () => unlinkSync(path)))) throw changedMeanwhile(place);
  } catch (error) {
    throw systemError(error, place.given);
  }
}

/**
 * Removes folders that nothing is in.
 *
 * @param folders below the root, outermost first
 */
export async function removeEmptyFolders(folders: readonly string[], root: RootFolder): Promise<void> {
  if (!isFolder(folders[0], root)) return;
  for (const folder of folders.toReversed()) {
    try {
      using place = findInside(folder, root);
      if (place.path !== folder || place.stats?.isDirectory() !== true) continue;
      await rmdir(place.folder.at(place.name));
    } catch {
      // Something is in it, or somebody was faster: then it stays as it is.
      return;
    }
  }
}

/** A quick look, because where the outermost folder is missing there are no others to look for one by one. */
function isFolder(path: string | undefined, root: RootFolder): boolean {
  if (path === undefined) return false;
  try {
    using place = findInside(path, root);
    return place.stats?.isDirectory() === true;
  } catch {
    return false;
  }
}
