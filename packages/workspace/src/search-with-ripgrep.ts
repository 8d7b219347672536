import { countMatches } from './count-matches.ts';
import { firstRows } from './first-rows.ts';
import { MOST_ROWS, type GrepJob } from './grep-job.ts';
import type { Matches } from './match-collector.ts';
import type { RipgrepEngine } from './ripgrep-engine.ts';
import { searchNamedFile } from './search-named-file.ts';
import { isHardWork, withinLimit } from './search-limit.ts';

/**
 * Searches with ripgrep: first it counts, which is fast and says little, then it finds the lines that are shown in
 * the few files that they are in.
 */
export function searchWithRipgrep(job: GrepJob, program: string): Promise<Matches & { readonly withheld: number }> {
  const { query, place } = job;
  const search = (signal: AbortSignal | undefined) => {
    const engine = { job, program, root: job.root.held.addressElsewhere, signal };
    return place?.stats?.isFile() === true ? searchNamedFile(engine, place) : searchFiles(engine);
  };
  // A search for plain text lasts as long as there is something to search.
  return isHardWork(query.pattern) ? withinLimit(query.signal, search) : search(query.signal);
}

async function searchFiles(engine: RipgrepEngine): Promise<Matches & { readonly withheld: number }> {
  const { found, searched, withheld } = await countMatches(engine);
  const limit = engine.job.query.limit ?? MOST_ROWS;
  const shown = found.matches === 0 ? [] : await firstRows(engine, found, limit);
  return { shown, matches: found.matches, files: found.files, searched, withheld };
}
