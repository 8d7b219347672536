import type { Stats } from 'node:fs';
import { stampOf } from './file-stamp.ts';
import { listFiles } from './list-files.ts';
import type { RootFolder } from './root-folder.ts';
import { patternScope } from './search-scope.ts';

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

/** Which files are wanted, and of which of them it is to be known whether they changed. */
export interface StampQuery extends GlobQuery {
  /** Takes a path. Default: of all of them. */
  readonly stamped?: (path: string) => boolean;
}

/**
 * The same files, each with a stamp: a text that is another one after the file was changed. It is `''` for files
 * whose stamp is not wanted.
 */
export async function findStamps(query: StampQuery, root: RootFolder): Promise<ReadonlyMap<string, string>> {
  const { pattern, stamped = () => true, signal } = query;
  const stamps = new Map<string, string>();
  const scope = await patternScope(pattern, root, query);
  if (scope === undefined) return stamps;
  const onFile = (name: string, look: () => Stats | undefined): void => {
    const path = below(scope.base, name);
    const stats = stamped(path) ? look() : undefined;
    stamps.set(path, stats === undefined ? '' : stampOf(stats));
  };
  await listFiles(scope, root, { signal, onFile });
  return stamps;
}

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
