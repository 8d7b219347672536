import { scopeFolder, scopePattern, type SearchScope } from '../list/search-scope.ts';
import { walkFolders } from '../list/walk-folders.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';

/** What to search for, and where. */
export interface GrepQuery {
  /** Regular expression without look-around and back-references; at most 1024 bytes. */
  readonly pattern: string;
  /** File, folder or file pattern. Default: the whole workspace. */
  readonly path?: string | undefined;
  /** Whether a file below `path` is meant, by its path below the root, without links. Default: every file. */
  readonly only?: ((path: string) => boolean) | undefined;
  readonly all?: boolean | undefined;
  /** True to search also what may hold passwords or private keys, for which the user has to be asked. */
  readonly secrets?: boolean | undefined;
  /** Most rows to return; counting goes on. Default: 50. */
  readonly limit?: number | undefined;
  /** Most files to return rows of. Default: as many as rows. */
  readonly fileLimit?: number | undefined;
  /** True for code, which gets every row, and as much of a long line as it can work with, from the same search. */
  readonly forCode?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GrepRow {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line without blanks around it; of one that is too long a part, with `…` where it was cut. */
  readonly text: string;
  /**
   * For code, where `text` is only a part of the line: as much of it as 10,000 characters, or fewer where that could be
   * more than 8 million for all rows together.
   */
  readonly long?: string;
}

export interface GrepResult {
  /** The matching lines that are shown, by path and line: when there are more, those of all files in turn. */
  readonly rows: readonly GrepRow[];
  /** For code: every matching line; absent when there are more than it can have at once. */
  readonly all?: readonly GrepRow[];
  /** Matching lines in all, shown or not. */
  readonly matches: number;
  /** The files that have them, by path. */
  readonly files: readonly FileCount[];
  /** Files that were looked into. */
  readonly searched: number;
  /** Paths of files that may hold secrets and were therefore not searched; of a folder of them, its own. */
  readonly withheld: readonly string[];
  /** Files of more than 256 MB, which were not searched because no path named them. */
  readonly tooLarge?: number;
  /** Where nothing was found: files that ignore rules exclude, which were not searched. */
  readonly ignored?: number;
  /** True when all that was found is in files that ignore rules exclude: the path names nothing else that matches. */
  readonly onlyIgnored?: boolean;
}

/** A search whose path has been resolved. */
export interface GrepJob {
  readonly query: GrepQuery;
  readonly root: RootFolder;
  /** The file or folder to search; absent for a file pattern. */
  readonly target?: ResolvedPath | undefined;
  /** Longest time that an expression may keep an engine busy, in milliseconds. */
  readonly limitMs?: number | undefined;
}

/** What an engine found: the files by path, with the matching lines that are shown, and the totals. */
export interface Matches extends Omit<GrepResult, 'rows' | 'all' | 'files' | 'ignored' | 'onlyIgnored'> {
  readonly found: readonly MatchedFile[];
  /** Files and folders that ignore rules exclude, as paths below the root; absent when that is not known. */
  readonly ignoredPaths?: readonly string[];
}

/** A file, by its path below the root, without links, and how many of its lines match. */
export interface FileCount {
  readonly path: string;
  readonly matches: number;
  /** SHA-256 of the file that the shown rows are from, where it was read whole for them. */
  readonly hash?: string | undefined;
}

/** A file with matching lines: how many, and those that are shown. */
export interface MatchedFile extends FileCount {
  readonly rows: readonly MatchRow[];
}

/** A matching line. */
export type MatchRow = Omit<GrepRow, 'path'>;

/** Bytes of the largest file that is searched where no path is named. */
export const LARGEST = 256 * 1024 * 1024;

/** True for a search of what a path names, which is searched whatever its size. */
export function hasNamedPath({ query, target }: Pick<GrepJob, 'query' | 'target'>): boolean {
  return query.path !== undefined && target?.path !== '';
}

/** What a search of a folder or a file pattern goes through; undefined when there is nothing. */
export async function scopeQuery({ query, root, target }: GrepJob): Promise<SearchScope | undefined> {
  if (target !== undefined) return scopeFolder(target.path, root, query);
  return scopePattern(query.path ?? '', root, { all: query.all, isBelow: true });
}

/** True for a file that is not searched because it may hold secrets. */
export function isWithheld(path: string, { root, query }: Pick<GrepJob, 'root' | 'query'>): boolean {
  return query.secrets !== true && root.findProtection(path)?.secret === true;
}

/**
 * Lists what a search of a folder or a file pattern looks into, unless it turns out to be binary or too large: paths
 * below the root, without links, and which secrets are not among them.
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
