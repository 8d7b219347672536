import { FileError } from '../errors.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import { type RootFolder, appendPath } from '../path/root-folder.ts';
import { formatPath } from '../path/show-path.ts';
import { readFolderEntries } from './list-files.ts';

/** All files and folders in a folder. */
export interface FolderTree {
  /** Paths of the files and links relative to the root, sorted. */
  readonly files: readonly string[];
  /** Paths of the folder itself and of the folders in it, outermost first. */
  readonly folders: readonly string[];
  /** Paths of those of the folders that are empty. */
  readonly empty: readonly string[];
}

/** Maximum number of files in a folder that is changed as a whole. */
const MOST_FILES = 1000;

/**
 * Lists every file in a folder, including files that searches leave out.
 *
 * @param folder path relative to the root, with links resolved
 * @throws FileError if the folder contains a pipe, socket or device, or too many files
 */
export async function listTree(folder: string, root: RootFolder): Promise<FolderTree> {
  const files: string[] = [];
  const folders = [folder];
  const empty: string[] = [];
  for (const path of folders) {
    using resolved = resolveBelowRoot(path, root);
    const entries = await readFolderEntries(resolved, root);
    if (entries.length === 0) empty.push(path);
    for (const entry of entries) {
      const below = appendPath(path, entry.name);
      if (entry.isDirectory()) folders.push(below);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(below);
      else throw createWholeError(folder, `${formatPath(below)} is no file`);
      if (files.length > MOST_FILES) throw createWholeError(folder, `it has more than ${MOST_FILES} files`);
    }
  }
  return { files: files.toSorted(), folders, empty };
}

function createWholeError(folder: string, reason: string): FileError {
  const name = formatPath(folder);
  return new FileError(`${name} is not changed as a whole: ${reason}. Do it file by file, or ask the user.`, [
    `<R:${name}>`,
  ]);
}
