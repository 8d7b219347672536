import { LARGEST } from './grep-job.ts';
import { isBinary } from './is-binary.ts';
import type { MatchingFiles } from './matching-files.ts';
import { readWhole } from './read-whole.ts';
import { RipgrepCounts } from './ripgrep-counts.ts';
import { runEngine, type RipgrepEngine } from './ripgrep-engine.ts';

/** Files named in one run of ripgrep. */
export const BATCH = 500;

/**
 * Counts the matching lines of some files, leaving out what is binary, too large or not there.
 *
 * @param paths below the root, without links
 * @returns how many files were looked into
 */
export async function countFiles(
  engine: RipgrepEngine,
  paths: readonly string[],
  found: MatchingFiles,
): Promise<number> {
  const texts: string[] = [];
  let searched = 0;
  for (const path of paths) {
    engine.signal?.throwIfAborted();
    const bytes = await readWhole(path, engine.job.root, LARGEST);
    if (bytes === undefined) continue;
    searched++;
    if (!isBinary(bytes)) texts.push(path);
  }
  const counts = new RipgrepCounts((path, matches) => found.add({ path, matches }));
  // A run over nothing still tells whether the pattern is one.
  for (let from = 0; from === 0 || from < texts.length; from += BATCH) {
    await runEngine(engine, {
      options: ['--count', '--null', '--with-filename', '--text'],
      paths: texts.length === 0 ? ['-'] : texts.slice(from, from + BATCH).map((path) => `./${path}`),
      onOutput: (bytes) => counts.take(bytes),
    });
  }
  return searched;
}
