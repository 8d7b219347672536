import { isBinary } from '../file/file-digest.ts';
import { chunksOf, openFile, readWarm } from '../file/open-file.ts';
import { withoutMark } from '../file/text-file.ts';
import { TimeSlice } from '../list/folder-reader.ts';
import type { Place } from '../path/resolve-path.ts';
import { countMatches, type MatchingFile, type MatchingFiles } from './count-matches.ts';
import { type GrepJob, LARGEST } from './grep-query.ts';
import { type FoundFile, type FoundRow, rowsNeeded, rowsWanted, rowWidth } from './match-rows.ts';
import type { Matches } from './re2-search.ts';
import { RipgrepRows } from './ripgrep-output.ts';
import { type RipgrepEngine, runEngine } from './ripgrep.ts';
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

/** A file as a piece of a longer text. */
interface JoinedFile<F> {
  readonly file: F;
  /** Lines of the text before it. */
  readonly before: number;
}

const LINE_FEED = 10;
const NEXT_LINE = Buffer.from('\n');

/** Many files as one text, each beginning on a line of its own. */
export class JoinedFiles<F> {
  readonly #files: JoinedFile<F>[] = [];
  #lines = 0;

  /**
   * The pieces that a file's content adds to the text: without the mark at its beginning, and with a line break
   * at its end.
   */
  add(file: F, bytes: Uint8Array): readonly Uint8Array[] {
    this.#files.push({ file, before: this.#lines });
    const content = withoutMark(bytes);
    for (let at = content.indexOf(LINE_FEED); at !== -1; at = content.indexOf(LINE_FEED, at + 1)) this.#lines++;
    if (content.length === 0 || content.at(-1) === LINE_FEED) return [content];
    this.#lines++;
    return [content, NEXT_LINE];
  }

  /** The file and line that a line of the text comes from, 1-based. */
  at(line: number): { readonly file: F; readonly line: number } {
    // Searched by halves: there may be thousands of files, and each of tens of thousands of rows asks.
    let [low, high] = [0, this.#files.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#files[middle] as JoinedFile<F>).before < line) low = middle;
      else high = middle;
    }
    const { file, before } = this.#files[low] as JoinedFile<F>;
    return { file, line: line - before };
  }
}

/** Searches one file of any size, which passes by in pieces. */
export async function searchNamedFile(
  engine: RipgrepEngine,
  place: Place,
): Promise<Matches & { readonly withheld: number }> {
  const { query } = engine.job;
  const read = (options: readonly string[], onOutput: (bytes: Buffer) => void) =>
    runEngine(engine, { options: [...ROW_OPTIONS, ...options], paths: ['-'], input: contentOf(place), onOutput });
  let count = '';
  await read(['--count'], (bytes) => (count += bytes.toString('latin1')));
  const matches = Number(count);
  const rows = new RipgrepRows(rowWidth(query, matches));
  if (matches > 0) await read([`--max-count=${rowsNeeded(query, matches)}`], (bytes) => rows.take(bytes));
  const shown = matches === 0 ? [] : [{ path: place.path, matches, rows: rows.rows }];
  return { shown, matches, files: shown.length, searched: 1, withheld: 0 };
}

/** A file's text, without the mark at its beginning; nothing of a binary file. */
async function* contentOf(place: Place): AsyncGenerator<Uint8Array> {
  await using file = await openFile(place);
  const lines = new ShorterLines();
  let isFirst = true;
  for await (const chunk of chunksOf(file)) {
    if (isFirst && isBinary(chunk)) return;
    // Copied, because the next piece comes into the same memory.
    const bytes = Buffer.from(chunk);
    yield* lines.take(isFirst ? withoutMark(bytes) : bytes);
    isFirst = false;
  }
}

/** Bytes of a line that are kept. */
const LONGEST = 1024 * 1024;

/** Cuts lines that are so long that a search would have to keep too much in memory; takes pieces of a text. */
export class ShorterLines {
  /** Bytes since the last line break. */
  #length = 0;

  /** @param bytes at most as many as a line may have */
  take(bytes: Uint8Array): readonly Uint8Array[] {
    const first = bytes.indexOf(LINE_FEED);
    const end = first === -1 ? bytes.length : first;
    const kept = Math.min(end, LONGEST - this.#length);
    this.#length = first === -1 ? this.#length + kept : bytes.length - 1 - bytes.lastIndexOf(LINE_FEED);
    return kept === end ? [bytes] : [bytes.subarray(0, kept), bytes.subarray(end)];
  }
}
