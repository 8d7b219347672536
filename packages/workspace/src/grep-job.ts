import type { GrepQuery } from './grep-result.ts';
import { protectionOf } from './path-protection.ts';
import type { Place } from './place.ts';
import type { RootFolder } from './root-folder.ts';
import { folderScope, patternScope, type SearchScope } from './search-scope.ts';

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
