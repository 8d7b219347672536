import { BATCH, countFiles } from './count-files.ts';
import { countFolder } from './count-folder.ts';
import { scopeOf } from './grep-job.ts';
import { rowsWanted } from './row-limits.ts';
import { MatchingFiles } from './matching-files.ts';
import type { RipgrepEngine } from './ripgrep-engine.ts';
import type { SearchScope } from './search-scope.ts';
import { searchedFiles } from './searched-files.ts';

/** What is known of a search before any line is read. */
export interface CountedMatches {
  readonly found: MatchingFiles;
  /** Files that were looked into. */
  readonly searched: number;
  /** Secrets that were not. */
  readonly withheld: number;
}

/**
 * Counts the matching lines below a folder, or in the files of a file pattern.
 *
 * @param onFirst hears of the first file that has any
 */
export async function countMatches(engine: RipgrepEngine, onFirst: () => void): Promise<CountedMatches> {
  const { job } = engine;
  // More than there can be rows, in case some turn out to be binary or elsewhere.
  const found = new MatchingFiles(2 * rowsWanted(job.query), onFirst);
  const scope = await scopeOf(job);
  const isWhole = job.query.only === undefined && scope !== undefined;
  if (isWhole && (await isPlain(scope))) return { found, ...(await countFolder({ engine, scope, found })) };
  const { paths, withheld } = await searchedFiles(job, engine.signal);
  // Naming a few is faster than going through a folder; naming many is not.
  if (scope === undefined || paths.length <= BATCH) {
    return { found, withheld, searched: await countFiles(engine, paths, found) };
  }
  const { searched } = await countFolder({ engine, scope, found, wanted: new Set(paths) });
  return { found, withheld, searched };
}

/**
 * True for a folder that ripgrep goes through as we would. It is told to look for no rules above the folder, since
 * it would go on above the root; those of the root can be handed to it, those of folders between cannot.
 */
async function isPlain({ matches, folder, rules }: SearchScope): Promise<boolean> {
  if (matches !== undefined) return false;
  const parts = folder.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    if ((await rules?.has(parts.slice(0, depth).join('/'))) === true) return false;
  }
  return true;
}
