import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isBinary, readFoundFile } from '../file/file-content.ts';
import { stripByteOrderMark } from '../file/text-file.ts';
import { TimeSlice } from '../list/walk-folders.ts';
import { LARGE, MatchCounter, countMatches, isTooLarge } from './count-matches.ts';
import { type FileCount, type GrepJob, type MatchRow, type MatchedFile, type Matches } from './grep-query.ts';
import { ROW_WIDTH } from './collect-rows.ts';
import { MOST_FOR_CODE, computeRowWidth, countWantedRows } from './match-rows.ts';
import { RowParser } from './ripgrep-output.ts';
import { runRipgrep } from './ripgrep.ts';
import { type RipgrepSearch, searchLargeFiles, searchNamedFile } from './search-large-files.ts';

const ROW_OPTIONS = ['--line-number', '--column', '--no-filename', '--text', '--encoding=none'];
const LINE_FEED = 10;

export async function searchWithRipgrep(
  job: GrepJob,
  program: string,
  signal: AbortSignal | undefined,
): Promise<Matches> {
  const { query, target, root } = job;
  // The pinned folder, even if its name was reused in the meantime.
  const folder = root.hold();
  try {
    const search = { job, program, root: folder.externalAddress, pattern: query.pattern, signal };
    if (query.text !== undefined) return await searchGivenText(search, query.text);
    return await (target?.stats?.isFile() === true ? searchNamedFile(search, target) : searchFolder(search));
  } finally {
    root.release();
  }
}

async function searchGivenText(search: RipgrepSearch, text: string): Promise<Matches> {
  const parser = new RowParser(ROW_WIDTH);
  const bytes = stripByteOrderMark(Buffer.from(text));
  await runRipgrep(search, {
    options: ROW_OPTIONS,
    paths: ['-'],
    input: Readable.from([bytes]),
    onOutput: (output) => parser.add(output),
  });
  const { rows = [], matches = 0 } = parser.files.get('') ?? {};
  return { found: matches === 0 ? [] : [{ path: '', matches, rows }], matches, searched: 1, withheld: [] };
}

/** A file that was read for its rows. Code does not need a hash, because it does not edit by shown lines. */
interface ReadFile {
  readonly file: FileCount;
  readonly hash: string | undefined;
}

type RowsByFile = ReadonlyMap<FileCount, Pick<MatchedFile, 'rows' | 'hash'>>;

/**
 * First counts, which is fast and returns little, then finds the shown lines in the few files that contain them. The
 * second run starts with the first match, and waits for the files. Large files are searched once instead.
 */
async function searchFolder(search: RipgrepSearch): Promise<Matches> {
  const counted = Promise.withResolvers<MatchCounter>();
  // There may be no handler yet if counting fails before the first match.
  counted.promise.catch(() => undefined);
  let rows: Promise<RowsByFile> | undefined;
  const { query } = search.job;
  const counter = new MatchCounter(query, () => {
    if (countWantedRows(query) === 0) return;
    rows = readFirstRows(search, counted.promise);
    rows.catch(() => undefined);
  });
  try {
    const { large, searched, tooLarge: skipped, ...totals } = await countMatches(search, counter);
    const grown = removeGrownFiles(search, counter);
    const more = await searchLargeFiles(search, [...large, ...grown.large], counter.matches);
    for (const file of more.found) counter.add(file);
    counted.resolve(counter);
    const tooLarge = skipped + grown.tooLarge;
    const found = (await rows) ?? new Map<FileCount, never>();
    return {
      found: counter.sorted().map((file) => ({ rows: [], ...file, ...found.get(file) })),
      matches: counter.matches,
      searched: searched - grown.large.length - grown.tooLarge + more.searched,
      ...totals,
      ...(tooLarge > 0 && { tooLarge }),
    };
  } catch (error) {
    counted.reject(error);
    await rows?.catch(() => undefined);
    throw error;
  }
}

/** Removes the files to show rows of that became large since an earlier search, which found no large ones. */
function removeGrownFiles(
  { job }: RipgrepSearch,
  counter: MatchCounter,
): { readonly large: readonly string[]; readonly tooLarge: number } {
  const large: string[] = [];
  let tooLarge = 0;
  for (const file of counter.shown()) {
    const size = lstatSync(join(job.root.path, file.path), { throwIfNoEntry: false })?.size ?? 0;
    if (size <= LARGE) continue;
    counter.remove(file);
    if (isTooLarge(size, job)) tooLarge++;
    else large.push(file.path);
  }
  if (large.length + tooLarge > 0) job.withoutLarge?.clear();
  return { large, tooLarge };
}

/**
 * Reads the first matching lines by path. The files are opened here and passed to ripgrep as one text, for the same
 * reason as large files. A file that has changed since it was counted, or is binary, is removed from the count.
 */
async function readFirstRows(search: RipgrepSearch, counted: Promise<MatchCounter>): Promise<RowsByFile> {
  const joined = new JoinedFiles<ReadFile>();
  let parser: RowParser | undefined;
  const start = ({ matches }: MatchCounter): void =>
    void (parser = new RowParser(computeRowWidth(search.job.query, matches)));
  // The run waits for it and throws the same error.
  counted.then(start, () => undefined);
  await runRipgrep(search, {
    options: [...ROW_OPTIONS, `--max-count=${MOST_FOR_CODE}`],
    paths: ['-'],
    input: readCounted(search, counted, joined),
    onOutput: (bytes) => parser?.add(bytes),
  });
  return await groupByFile(parser?.files.get('')?.rows ?? [], joined, search.signal);
}

async function* readCounted(
  { job }: RipgrepSearch,
  counted: Promise<MatchCounter>,
  joined: JoinedFiles<ReadFile>,
): AsyncGenerator<Uint8Array> {
  const counter = await counted;
  const slice = new TimeSlice();
  // Files with the most matches come last, since it is harmless if not all of their rows are read.
  for (const file of counter.shown().toSorted((a, b) => a.matches - b.matches)) {
    if (slice.isOver) await slice.rest();
    // The file may have grown since it was counted.
    const bytes = await readFoundFile(file.path, job.root, { largest: 2 * LARGE, isCached: true });
    if (bytes === undefined || isBinary(bytes)) {
      counter.remove(file);
      continue;
    }
    const hash = job.query.forCode === true ? undefined : createHash('sha256').update(bytes).digest('hex');
    yield* joined.add({ file, hash }, bytes);
  }
}

/** Groups the rows of the joined text by the files that they come from. */
async function groupByFile(
  rows: readonly MatchRow[],
  joined: JoinedFiles<ReadFile>,
  signal: AbortSignal | undefined,
): Promise<Map<FileCount, Pick<MatchedFile, 'rows' | 'hash'>>> {
  const files = new Map<FileCount, { rows: MatchRow[]; hash: string | undefined }>();
  const slice = new TimeSlice();
  for (const row of rows) {
    if (slice.isOver) {
      await slice.rest();
      signal?.throwIfAborted();
    }
    const {
      file: { file, hash },
      line,
    } = joined.at(row.line);
    const own = files.get(file) ?? { rows: [], hash };
    own.rows.push({ ...row, line });
    files.set(file, own);
  }
  return files;
}

/** Many files joined into one text, each starting on a new line. */
export class JoinedFiles<F> {
  /** The files, each with the number of lines before it in the text. */
  readonly #files: { readonly file: F; readonly before: number }[] = [];
  #lines = 0;

  /** Returns the pieces that a file adds to the text: without its byte order mark, and with a line break at the end. */
  add(file: F, bytes: Uint8Array): readonly Uint8Array[] {
    this.#files.push({ file, before: this.#lines });
    const content = stripByteOrderMark(bytes);
    for (let at = content.indexOf(LINE_FEED); at !== -1; at = content.indexOf(LINE_FEED, at + 1)) this.#lines++;
    if (content.length === 0 || content.at(-1) === LINE_FEED) return [content];
    this.#lines++;
    return [content, Buffer.from('\n')];
  }

  /** Finds the file and line that a line of the text comes from, 1-based. */
  at(line: number): { readonly file: F; readonly line: number } {
    // A binary search, because there may be thousands of files and tens of thousands of rows.
    let [low, high] = [0, this.#files.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#files[middle]!.before < line) low = middle;
      else high = middle;
    }
    const { file, before } = this.#files[low]!;
    return { file, line: line - before };
  }
}
