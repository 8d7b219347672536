import { LARGEST, MOST_ROWS, rowWidth, type GrepJob } from './grep-job.ts';
import type { Matches } from './match-collector.ts';
import { re2Search } from './re2-search.ts';
import { readWhole } from './read-whole.ts';
import { withinLimit } from './search-limit.ts';
import { searchedFiles } from './searched-files.ts';

/** Bytes of the largest file that is searched without ripgrep. */
const LARGEST_NAMED = 64 * LARGEST;

/**
 * Searches with an engine in a worker thread.
 *
 * @throws TimeoutError when it takes too long
 */
export function searchWithoutRipgrep(job: GrepJob): Promise<Matches & { readonly withheld: number }> {
  return withinLimit(job.query.signal, async (signal) => {
    const { query, root, place } = job;
    const isNamed = place?.stats?.isFile() === true;
    const { paths, withheld } = isNamed ? { paths: [place.path], withheld: 0 } : await searchedFiles(job, signal);
    const found = await re2Search({
      pattern: query.pattern,
      limit: query.limit ?? MOST_ROWS,
      width: rowWidth(query),
      signal,
      paths,
      read: (path) => readWhole(path, root, isNamed ? LARGEST_NAMED : LARGEST),
    });
    return { ...found, withheld };
  });
}
