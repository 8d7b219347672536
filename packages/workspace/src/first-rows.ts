import type { FoundFile, FoundRow } from './found-file.ts';
import { LARGEST } from './grep-job.ts';
import { rowsNeeded, rowsWanted, rowWidth } from './row-limits.ts';
import { isBinary } from './is-binary.ts';
import { JoinedFiles } from './joined-files.ts';
import type { MatchingFile, MatchingFiles } from './matching-files.ts';
import { readWarm } from './read-warm.ts';
import { TimeSlice } from './time-slice.ts';
import { runEngine, type RipgrepEngine } from './ripgrep-engine.ts';
import { RipgrepRows } from './ripgrep-rows.ts';

export const ROW_OPTIONS = ['--line-number', '--column', '--no-filename', '--text', '--encoding=none'];

/**
 * The first matching lines by path. They are read here and handed to ripgrep, since another program finds its own
 * way through the folders, and a folder that becomes a link under it leads it out. A file that is not there as it
 * was counted, or turns out to be binary, is taken out of the count.
 *
 * @param found once all are counted
 */
export async function firstRows(engine: RipgrepEngine, found: Promise<MatchingFiles>): Promise<readonly FoundFile[]> {
  const { query } = engine.job;
  const joined = new JoinedFiles<MatchingFile>();
  let rows: RipgrepRows | undefined;
  const start = ({ matches }: MatchingFiles): void => void (rows = new RipgrepRows(rowWidth(query, matches)));
  // What it fails with comes out of the run, which waits for it, too.
  found.then(start, () => undefined);
  await runEngine(engine, {
    options: [...ROW_OPTIONS, `--max-count=${rowsWanted(query)}`],
    paths: ['-'],
    input: contents({ engine, found, joined }),
    onOutput: (bytes) => rows?.take(bytes),
  });
  return byFile(rows?.rows ?? [], joined, engine.signal);
}

/** The rows of the joined text, each with the file that it comes from. */
async function byFile(
  rows: readonly FoundRow[],
  joined: JoinedFiles<MatchingFile>,
  signal: AbortSignal | undefined,
): Promise<readonly FoundFile[]> {
  const files = new Map<MatchingFile, FoundRow[]>();
  const slice = new TimeSlice();
  for (const { line, ...texts } of rows) {
    if (slice.isOver) {
      await slice.rest();
      signal?.throwIfAborted();
    }
    const { file, line: number } = joined.at(line);
    const row = { line: number, ...texts };
    const known = files.get(file);
    if (known === undefined) files.set(file, [row]);
    else known.push(row);
  }
  return [...files].map(([{ path, matches }, rows]) => ({ path, matches, rows }));
}

interface Contents {
  readonly engine: RipgrepEngine;
  readonly found: Promise<MatchingFiles>;
  readonly joined: JoinedFiles<MatchingFile>;
}

/** The content of files that together have enough matches. */
async function* contents({ engine, found, joined }: Contents): AsyncGenerator<Uint8Array> {
  const { query } = engine.job;
  const counted = await found;
  const slice = new TimeSlice();
  let matches = 0;
  for (const file of counted.first()) {
    if (matches >= rowsNeeded(query, counted.matches)) return;
    if (slice.isOver) await slice.rest();
    const bytes = await readWarm(file.path, engine.job.root, LARGEST);
    if (bytes === undefined || isBinary(bytes)) {
      counted.remove(file);
      continue;
    }
    matches += file.matches;
    yield* joined.add(file, bytes);
  }
}
