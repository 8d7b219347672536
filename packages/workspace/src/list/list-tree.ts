import { FileError } from '../errors.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import { type RootFolder, appendPath } from '../path/root-folder.ts';
import { formatPath } from '../path/show-path.ts';
import { readFolderEntries } from './list-files.ts';

/** Everything in a folder. */
export interface FolderTree {
  /** Paths below the root, sorted. */
  readonly files: readonly string[];
  /** Those of the folders in it, and its own: outermost first. */
  readonly folders: readonly string[];
}

/** Most files of a folder that is changed as a whole. */
const MOST_FILES = 1000;

/**
 * Lists every file in a folder, also what searches leave out.
 *
 * @param folder path below the root, without links
 * @throws FileError where there is a link or anything else that is no file, or too many files
 */
export async function listTree(folder: string, root: RootFolder): Promise<FolderTree> {
  const files: string[] = [];
  const folders = [folder];
  for (const path of folders) {
    using resolved = resolveBelowRoot(path, root);
    for (const entry of await readFolderEntries(resolved, root)) {
      const below = appendPath(path, entry.name);
      if (entry.isDirectory()) folders.push(below);
      else if (entry.isFile()) files.push(below);
      else throw createWholeError(folder, `${formatPath(below)} is a link, or no file`);
      if (files.length > MOST_FILES) throw createWholeError(folder, `it has more than ${MOST_FILES} files`);
    }
  }
  return { files: files.toSorted(), folders };
}

function createWholeError(folder: string, reason: string): FileError {
  const name = formatPath(folder);
  return new FileError(`${name} is not changed as a whole: ${reason}. Do it file by file, or ask the user.`, [
    `<R:${name}>`,
  ]);
}
