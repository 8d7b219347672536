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

/** A path below a folder as a path below what that is in. */
export function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
