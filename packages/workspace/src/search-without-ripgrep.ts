import { LARGEST, type GrepJob } from './grep-job.ts';
import { rowsWanted, rowWidth, SHOWN } from './row-limits.ts';
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
    const read = (path: string) => readWhole(path, root, isNamed ? LARGEST_NAMED : LARGEST);
    const run = { pattern: query.pattern, limit: rowsWanted(query), signal, paths, read };
    const found = await re2Search({ ...run, width: SHOWN });
    // How long a row may be is known when all are counted.
    const width = rowWidth(query, found.matches);
    const isAll = width === SHOWN || !found.shown.some(({ rows }) => rows.some(({ long }) => long !== undefined));
    return { ...(isAll ? found : await re2Search({ ...run, width })), withheld };
  });
}
