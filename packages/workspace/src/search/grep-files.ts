import { containPath } from '../path/contain-path.ts';
import { protectionOfPlace } from '../path/path-protection.ts';
import { checkPattern } from './check-pattern.ts';
import type { GrepJob, GrepResult } from './grep-query.ts';
import { MOST_FOR_CODE, MOST_ROWS } from './match-rows.ts';
import { searchWithoutRipgrep } from './re2-search.ts';
import { searchWithRipgrep } from './ripgrep-search.ts';

/**
 * Searches text files line by line. Binary files are left out, and files over 1 MB that were not named.
 *
 * @throws PatternError when the pattern cannot be used; PathError when a file pattern leaves the workspace
 */
export async function grepFiles(job: GrepJob): Promise<GrepResult> {
  const { query, place, ripgrep } = job;
  checkPattern(query.pattern);
  if (query.secrets !== true && place !== undefined && protectionOfPlace(place)?.secret === true) {
    return { rows: [], matches: 0, files: 0, searched: 0, withheld: 1 };
  }
  const { shown, withheld, ...counts } =
    ripgrep === undefined ? await searchWithoutRipgrep(job) : await searchWithRipgrep(job, ripgrep);
  const all = shown.flatMap(({ path, rows }) => {
    const name = shownPath(path, job);
    return rows.map((row) => ({ path: name, ...row }));
  });
  const rows = all.slice(0, query.limit ?? MOST_ROWS).map(({ path, line, text }) => ({ path, line, text }));
  const isAll = query.forCode === true && counts.matches <= MOST_FOR_CODE;
  return { rows, ...(isAll && { all }), ...counts, withheld };
}

/** A found path under the name its folder was asked for, where that is a link. */
function shownPath(path: string, { place, root }: GrepJob): string {
  if (place === undefined) return path;
  const asked = containPath(place.given, root.names);
  if (asked === place.path) return path;
  return [asked, path.slice(place.path.length).replace(/^\//, '')].filter((part) => part !== '').join('/');
}
