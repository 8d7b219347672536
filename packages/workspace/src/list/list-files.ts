import { readdir } from 'node:fs/promises';
import { FileError, translateSystemError } from '../errors.ts';
import { type PatternScope, scopePattern } from './search-scope.ts';
import { walkFolders } from './walk-folders.ts';
import { type ResolvedPath, resolveBelowRoot } from '../path/resolve-path.ts';
import { type FolderEntry, type RootFolder, appendPath } from '../path/root-folder.ts';
import { formatPath } from '../path/show-path.ts';

export interface GlobQuery {
  /** File pattern with `**`, `*`, `?`, `{a,b}` and `[..]`, relative to the root of the workspace. */
  readonly pattern: string;
  /** True to include files that `.gitignore` excludes. */
  readonly all?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the paths of links that match. Default: they are ignored. */
  readonly onLink?: ((path: string) => void) | undefined;
}

/**
 * Finds the regular files that match a pattern, sorted, as paths relative to the root. Links inside are not followed.
 *
 * `.git`, `node_modules`, `.venv`, `__pycache__`, `dist` and `.bae` are skipped unless the pattern names them, and
 * `dist` not in `node_modules` either. Files that `.gitignore` excludes are left out unless `all` is set, or the pattern
 * begins inside an excluded folder.
 */
export async function findFiles(query: GlobQuery, root: RootFolder): Promise<readonly string[]> {
  query.signal?.throwIfAborted();
  const scope = await scopePattern(query.pattern, root, query);
  if (scope === undefined) return [];
  const { signal, onLink } = query;
  const files = await walkFolders(scope, root, {
    signal,
    onLink: onLink && ((link) => onLink(spellAsGiven(link, scope))),
  });
  return files.map((file) => spellAsGiven(file, scope)).toSorted();
}

/** Returns the path of a file below the root as spelled in the pattern: with the links that it names. */
export function spellAsGiven(file: string, { folder, base }: PatternScope): string {
  return folder === base ? file : appendPath(base, file.slice(folder === '' ? 0 : folder.length + 1));
}

export async function readFolderEntries(
  { target, given, path }: ResolvedPath,
  { draft }: RootFolder,
): Promise<readonly FolderEntry[]> {
  if (target?.stats.isDirectory() !== true) {
    throw new FileError(`${formatPath(given)} is not a folder.`, [`<R:${formatPath(given)}>`]);
  }
  try {
    const entries = await readdir(target.address, { withFileTypes: true });
    await target.confirm();
    return draft?.list(path, entries) ?? entries;
  } catch (error) {
    throw translateSystemError(error, given);
  }
}

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
