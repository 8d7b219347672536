import { scopeFolder, scopePattern, type SearchScope } from '../list/search-scope.ts';
import { walkFolders } from '../list/walk-folders.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';

/** The pattern and the location of a search. */
export interface GrepQuery {
  /** Regular expression without look-around and back-references; at most 1024 bytes. */
  readonly pattern: string;
  /** File, folder or file pattern. Default: the whole workspace. */
  readonly path?: string | undefined;
  /** Text to search instead of files; its rows have an empty path. */
  readonly text?: string | undefined;
  /** Selects files below `path` by their paths below the root, without links. Default: every file. */
  readonly only?: ((path: string) => boolean) | undefined;
  readonly all?: boolean | undefined;
  /** True to include files that may hold passwords or private keys, for which the user has to be asked. */
  readonly secrets?: boolean | undefined;
  /** Maximum number of rows to return; counting continues. With 0, matches are only counted. Default: 50. */
  readonly limit?: number | undefined;
  /** Maximum number of files with returned rows. Default: as many as rows. */
  readonly fileLimit?: number | undefined;
  /** True for an expression that no caller wrote, which is searched for without a time limit. */
  readonly isOwn?: boolean | undefined;
  /** Code that reads the file that is searched, for patterns that only code can look for: `read("a.log")`. */
  readonly reading?: string | undefined;
  /** True for code, which gets every row and longer parts of long lines from the same search. */
  readonly forCode?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GrepRow {
  readonly path: string;
  /** Line number, 1-based. */
  readonly line: number;
  /** The line without surrounding whitespace; if it is too long, a part of it, with `…` where it was cut. */
  readonly text: string;
  /**
   * For code, if `text` is only a part of the line: up to 10,000 characters of it, or fewer if all rows together could
   * have more than 8 million.
   */
  readonly long?: string;
  /** Number of further rows of the file that are left out and differ from this one only in numbers. Default: 0 */
  readonly alike?: number;
}

export interface GrepResult {
  /** The shown matching lines, by path and line: if there are more, they are taken from all files in turn. */
  readonly rows: readonly GrepRow[];
  /** For code: every matching line; absent when there are more than code can get at once. */
  readonly all?: readonly GrepRow[];
  /** Total number of matching lines, shown or not. */
  readonly matches: number;
  /** The files with matches, by path. */
  readonly files: readonly FileCount[];
  /** Number of searched files. */
  readonly searched: number;
  /**
   * Paths of files that may hold secrets and were therefore not searched; for a folder of them, the path of the folder.
   */
  readonly withheld: readonly string[];
  /** Number of files of more than 256 MB, which were not searched because no path named them. */
  readonly tooLarge?: number;
  /** If nothing was found: number of files that ignore rules exclude, which were not searched. */
  readonly ignored?: number;
  /** True when all matches are in files that ignore rules exclude: the path names nothing else that matches. */
  readonly onlyIgnored?: boolean;
}

/** A search whose path has been resolved. */
export interface GrepJob {
  readonly query: GrepQuery;
  readonly root: RootFolder;
  /** The file or folder to search; absent for a file pattern. */
  readonly target?: ResolvedPath | undefined;
  /** Time limit of an engine for the expression, in milliseconds. */
  readonly limitMs?: number | undefined;
  /** Scopes in which the last search found no large file, kept between searches. */
  readonly withoutLarge?: Set<string> | undefined;
}

/** Result of an engine: the files by path, with the shown matching lines, and the totals. */
export interface Matches extends Omit<GrepResult, 'rows' | 'all' | 'files' | 'ignored' | 'onlyIgnored'> {
  readonly found: readonly MatchedFile[];
  /** Files and folders that ignore rules exclude, as paths below the root; absent when that is not known. */
  readonly ignoredPaths?: readonly string[];
}

/** A file, by its path relative to the root with links resolved, and the number of its matching lines. */
export interface FileCount {
  readonly path: string;
  readonly matches: number;
  /** SHA-256 of the file with the shown rows, if it was read whole for them. */
  readonly hash?: string | undefined;
}

/** A file with matching lines: their number, and the shown ones. */
export interface MatchedFile extends FileCount {
  readonly rows: readonly MatchRow[];
}

/** A matching line. */
export type MatchRow = Omit<GrepRow, 'path'>;

/** Maximum size of files that are searched without being named, in bytes. */
export const LARGEST = 256 * 1024 * 1024;

/** Tests whether a path names the file to search, which is then searched regardless of its size. */
export function hasNamedPath({ query, target }: Pick<GrepJob, 'query' | 'target'>): boolean {
  return query.path !== undefined && target?.path !== '';
}

/** Determines the scope of a search of a folder or a file pattern; undefined when there is nothing to search. */
export async function scopeQuery({ query, root, target }: GrepJob): Promise<SearchScope | undefined> {
  if (target !== undefined) return scopeFolder(target.path, root, query);
  return scopePattern(query.path ?? '', root, { all: query.all, isBelow: true });
}

/** Tests whether a file is not searched because it may hold secrets. */
export function isWithheld(path: string, { root, query }: Pick<GrepJob, 'root' | 'query'>): boolean {
  return query.secrets !== true && root.findProtection(path)?.secret === true;
}

/**
 * Lists the files that a search of a folder or a file pattern covers, including binary or too large ones: their paths
 * relative to the root, with links resolved, and the secrets that are left out.
 */
export async function listSearchedFiles(
  job: GrepJob,
  signal: AbortSignal | undefined,
): Promise<{ readonly paths: readonly string[]; readonly withheld: readonly string[] }> {
  const { root, query } = job;
  const scope = await scopeQuery(job);
  if (scope === undefined) return { paths: [], withheld: [] };
  const files = (await walkFolders(scope, root, { signal })).filter((path) => query.only?.(path) ?? true);
  const withheld = files.filter((path) => isWithheld(path, job));
  const left = new Set(withheld);
  return { paths: files.filter((path) => !left.has(path)), withheld };
}
