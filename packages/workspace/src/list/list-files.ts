import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { callbackify } from 'node:util';
import type { FileSystemAdapter } from 'fast-glob';
import { FileError, systemError } from '../errors.ts';
import { FolderReader, TimeSlice } from './folder-reader.ts';
import { patternScope, type SearchScope } from './search-scope.ts';
import type { Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { showPath } from '../path/show-path.ts';

/** Which files are wanted. */
export interface GlobQuery {
  /** `**`, `*`, `?`, `{a,b}` and `[..]`, from the root of the workspace. */
  readonly pattern: string;
  /** True to include what `.gitignore` excludes. */
  readonly all?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The regular files a pattern names, sorted, as paths below the root. Links inside are not followed.
 *
 * `.git`, `node_modules`, `.venv`, `__pycache__`, `dist` and `.bae` are skipped unless the pattern names them, and
 * what `.gitignore` excludes is left out unless `all`, or unless the pattern begins inside of it.
 *
 * @throws PathError when the pattern leaves the workspace; PatternError when it cannot be used
 */
export async function findFiles(query: GlobQuery, root: RootFolder): Promise<readonly string[]> {
  const scope = await patternScope(query.pattern, root, query);
  if (scope === undefined) return [];
  const paths = await listFiles(scope, root, query);
  return paths.map((path) => below(scope.base, path)).toSorted();
}

/** A path below a folder as a path below what that is in. */
export function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** How files are listed. */
export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
}

type Readdir = NonNullable<FileSystemAdapter['readdir']>;
type ReaddirDone = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** The regular files of a scope, as paths below its folder, in no order. Links are not followed. */
export async function listFiles(
  scope: SearchScope,
  root: RootFolder,
  { signal }: ListOptions = {},
): Promise<readonly string[]> {
  signal?.throwIfAborted();
  const { default: fastGlob } = await import('fast-glob');
  using reader = new FolderReader(scope, root, signal);
  const entriesOf = callbackify((folder: string) => reader.read(relative(root.path, folder)));
  const readdir = (folder: string, _options: object, done: ReaddirDone): void => entriesOf(folder, done);
  const paths = await fastGlob('**', {
    cwd: join(root.path, scope.folder),
    dot: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    unique: false,
    ...(scope.depth !== undefined && { deep: scope.depth }),
    fs: { readdir: readdir as unknown as Readdir },
  });
  signal?.throwIfAborted();
  return scope.matches === undefined ? paths : filtered(paths, scope.matches);
}

async function filtered(paths: readonly string[], matches: (path: string) => boolean): Promise<readonly string[]> {
  const slice = new TimeSlice();
  const found: string[] = [];
  for (const path of paths) {
    if (slice.isOver) await slice.rest();
    if (matches(path)) found.push(path);
  }
  return found;
}

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
