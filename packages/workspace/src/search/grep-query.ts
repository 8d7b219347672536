import { listFiles } from '../list/list-files.ts';
import { folderScope, patternScope, type SearchScope } from '../list/search-scope.ts';
import { protectionOf } from '../path/path-protection.ts';
import type { Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';

/** What to search for, and where. */
export interface GrepQuery {
  /** Regular expression without look-around and back-references; at most 1024 bytes. */
  readonly pattern: string;
  /** File, folder or file pattern. Default: the whole workspace. */
  readonly path?: string | undefined;
  /** Whether a file below `path` is meant, by its path below the root, without links. Default: every file. */
  readonly only?: ((path: string) => boolean) | undefined;
  /** True to search what `.gitignore` excludes. */
  readonly all?: boolean | undefined;
  /** True to search also what may hold passwords or private keys, for which the user has to be asked. */
  readonly secrets?: boolean | undefined;
  /** Most rows to return; counting goes on. Default: 50. */
  readonly limit?: number | undefined;
  /** True for code, which gets every row, and as much of a long line as it can work with, from the same search. */
  readonly forCode?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One matching line. */
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

/** What a search found. */
export interface GrepResult {
  /** The first matching lines, by path and line. */
  readonly rows: readonly GrepRow[];
  /** For code: every matching line; absent when there are more than it can have at once. */
  readonly all?: readonly GrepRow[];
  /** Matching lines in all, shown or not. */
  readonly matches: number;
  /** Files with a match. */
  readonly files: number;
  /** Files that were looked into. */
  readonly searched: number;
  /** Files that may hold secrets and were therefore not searched; 1 for a folder of them. */
  readonly withheld: number;
}

/** A search whose place has been looked up. */
export interface GrepJob {
  readonly query: GrepQuery;
  readonly root: RootFolder;
  /** The file or folder to search; absent for a file pattern. */
  readonly place?: Place | undefined;
  /** Path of the ripgrep program; absent to search without it. */
  readonly ripgrep: string | undefined;
}

/** Bytes of the largest file that is searched without being named. */
export const LARGEST = 1024 * 1024;

/** What a search of a folder or a file pattern goes through; undefined when there is nothing. */
export async function scopeOf({ query, root, place }: GrepJob): Promise<SearchScope | undefined> {
  return place === undefined ? patternScope(query.path ?? '', root, query) : folderScope(place.path, root, query);
}

/** True for a file that is not searched because it may hold secrets. */
export function isWithheld(path: string, { secrets }: GrepQuery): boolean {
  return secrets !== true && protectionOf(path)?.secret === true;
}

/** The files that a search looks into, unless they turn out to be binary or too large. */
export interface SearchedFiles {
  /** Below the root, without links. */
  readonly paths: readonly string[];
  /** How many secrets are not among them. */
  readonly withheld: number;
}

/** Looks up what a search of a folder or a file pattern looks into. */
export async function searchedFiles(job: GrepJob, signal: AbortSignal | undefined): Promise<SearchedFiles> {
  const scope = await scopeOf(job);
  if (scope === undefined) return { paths: [], withheld: 0 };
  const wanted = job.query.only ?? (() => true);
  const prefix = scope.folder === '' ? '' : `${scope.folder}/`;
  const listed = (await listFiles(scope, job.root, { signal })).map((path) => prefix + path).filter(wanted);
  const paths = listed.filter((path) => !isWithheld(path, job.query));
  return { paths, withheld: listed.length - paths.length };
}
