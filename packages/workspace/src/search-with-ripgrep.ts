import { countMatches } from './count-matches.ts';
import type { FoundFile } from './found-file.ts';
import { firstRows } from './first-rows.ts';
import type { GrepJob } from './grep-job.ts';
import type { Matches } from './match-collector.ts';
import type { MatchingFiles } from './matching-files.ts';
import type { RipgrepEngine } from './ripgrep-engine.ts';
import { searchNamedFile } from './search-named-file.ts';
import { isHardWork, withinLimit } from './search-limit.ts';

/**
 * Searches with ripgrep: first it counts, which is fast and says little, then it finds the lines that are shown in
 * the few files that they are in. The second run is started with the first match, and waits for the files.
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
  const counted = Promise.withResolvers<MatchingFiles>();
  // Nobody may wait for it, when counting fails before the first match.
  counted.promise.catch(() => undefined);
  let rows: Promise<readonly FoundFile[]> | undefined;
  const start = (): void => {
    rows = firstRows(engine, counted.promise);
    rows.catch(() => undefined);
  };
  try {
    const { found, searched, withheld } = await countMatches(engine, start);
    counted.resolve(found);
    const shown = (await rows) ?? [];
    return { shown, matches: found.matches, files: found.files, searched, withheld };
  } catch (error) {
    counted.reject(error);
    await rows?.catch(() => undefined);
    throw error;
  }
}
