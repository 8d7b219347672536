import { createHash } from 'node:crypto';
import { isBinary, openFile, readFoundFile, readInChunks, useFoundFile } from '../file/file-content.ts';
import { stripByteOrderMark } from '../file/text-file.ts';
import { TimeSlice } from '../list/walk-folders.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';
import { MatchCounter, type RipgrepSearch, countMatches } from './count-matches.ts';
import { type FileCount, type GrepJob, type MatchRow, type MatchedFile, type Matches } from './grep-query.ts';
import { MOST_FOR_CODE, allotRows, computeRowWidth, countWantedRows } from './match-rows.ts';
import { RowParser } from './ripgrep-output.ts';
import { runRipgrep } from './ripgrep.ts';

const ROW_OPTIONS = ['--line-number', '--column', '--no-filename', '--text', '--encoding=none'];
const LINE_FEED = 10;
/** Size from which ripgrep itself reads a file for its rows, from a descriptor opened here, in bytes. */
const LARGE = 2 * 1024 * 1024;
/** Number of such files that are read at the same time. */
const AT_ONCE = 4;
const LONGEST_LINE = 1024 * 1024;

export function searchWithRipgrep(job: GrepJob, program: string, signal: AbortSignal | undefined): Promise<Matches> {
  const { query, target, root } = job;
  // The pinned folder, even if its name was reused in the meantime.
  const search = { job, program, root: root.pin.externalAddress, pattern: query.pattern, signal };
  return target?.stats?.isFile() === true ? searchNamedFile(search, target) : searchFolder(search);
}

/** A file that was read for its rows. Code does not need a hash, because it does not edit by shown lines. */
interface ReadFile {
  readonly file: FileCount;
  readonly hash: string | undefined;
}

type RowsByFile = ReadonlyMap<FileCount, Pick<MatchedFile, 'rows' | 'hash'>>;

/**
 * First counts, which is fast and returns little, then finds the shown lines in the few files that contain them. The
 * second run starts with the first match, and waits for the files.
 */
async function searchFolder(search: RipgrepSearch): Promise<Matches> {
  const counted = Promise.withResolvers<MatchCounter>();
  // Nothing may be waiting for it if counting fails before the first match.
  counted.promise.catch(() => undefined);
  let rows: Promise<RowsByFile> | undefined;
  const counter = new MatchCounter(() => {
    rows = readFirstRows(search, counted.promise);
    rows.catch(() => undefined);
  });
  try {
    const totals = await countMatches(search, counter);
    counted.resolve(counter);
    const found = (await rows) ?? new Map<FileCount, never>();
    return {
      found: counter.sorted().map((file) => ({ ...file, ...(found.get(file) ?? { rows: [] }) })),
      matches: counter.matches,
      ...totals,
    };
  } catch (error) {
    counted.reject(error);
    await rows?.catch(() => undefined);
    throw error;
  }
}

/**
 * Reads the first matching lines by path. The files are opened here and handed to ripgrep, since another program finds
 * its own way through the folders, and a folder that becomes a link under it leads it out. A file that is not there as
 * it was counted, or turns out to be binary, is taken out of the count. Small ones are handed over as one text.
 */
async function readFirstRows(search: RipgrepSearch, counted: Promise<MatchCounter>): Promise<RowsByFile> {
  const joined = new JoinedFiles<ReadFile>();
  const large: WantedFile[] = [];
  let parser: RowParser | undefined;
  const start = ({ matches }: MatchCounter): void =>
    void (parser = new RowParser(computeRowWidth(search.job.query, matches)));
  // The run waits for it and throws the same error.
  counted.then(start, () => undefined);
  await runRipgrep(search, {
    options: [...ROW_OPTIONS, `--max-count=${MOST_FOR_CODE}`],
    paths: ['-'],
    input: readCounted(search, counted, { joined, large }),
    onOutput: (bytes) => parser?.add(bytes),
  });
  const found = await groupByFile(parser?.rows ?? [], joined, search.signal);
  if (large.length === 0) return found;
  const counter = await counted;
  for (let from = 0; from < large.length; from += AT_ONCE) {
    const read = async (wanted: WantedFile) => [wanted.file, await readLargeFile(search, wanted, counter)] as const;
    for (const [file, rows] of await Promise.all(large.slice(from, from + AT_ONCE).map(read)))
      if (rows !== undefined) found.set(file, { rows, hash: undefined });
  }
  return found;
}

interface WantedFile {
  readonly file: FileCount;
  readonly rows: number;
}

/** The first rows of a file, which ripgrep itself reads; undefined when it no longer exists, or is binary. */
async function readLargeFile(
  search: RipgrepSearch,
  { file, rows }: WantedFile,
  counter: MatchCounter,
): Promise<readonly MatchRow[] | undefined> {
  const { query, root } = search.job;
  const parser = new RowParser(computeRowWidth(query, counter.matches));
  const isRead = await useFoundFile(file.path, root, async (inputFile) => {
    const options = [...ROW_OPTIONS, `--max-count=${rows}`];
    await runRipgrep(search, { options, paths: ['-'], inputFile, onOutput: (bytes) => parser.add(bytes) });
  });
  if (isRead) return parser.rows;
  counter.remove(file);
  return undefined;
}

async function* readCounted(
  { job }: RipgrepSearch,
  counted: Promise<MatchCounter>,
  { joined, large }: { readonly joined: JoinedFiles<ReadFile>; readonly large: WantedFile[] },
): AsyncGenerator<Uint8Array> {
  const counter = await counted;
  const slice = new TimeSlice();
  const rows = countWantedRows(job.query, counter.matches);
  const isForCode = job.query.forCode === true;
  const allotted = allotRows(counter.sorted(), rows, isForCode ? rows : job.query.fileLimit);
  // Those with most matches come last, where it does no harm that not all of their rows are read.
  const wanted = counter.sorted().filter(({ path }) => allotted.has(path));
  for (const file of wanted.toSorted((a, b) => a.matches - b.matches)) {
    if (slice.isOver) await slice.rest();
    const bytes = await readFoundFile(file.path, job.root, { largest: LARGE, isCached: true });
    if (bytes === undefined) {
      large.push({ file, rows: allotted.get(file.path)! });
      continue;
    }
    if (isBinary(bytes)) {
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

  /** The pieces that a file adds to the text: without its byte order mark, and with a line break at its end. */
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

/** Searches one file of any size, which is read in pieces. */
async function searchNamedFile(search: RipgrepSearch, target: ResolvedPath): Promise<Matches> {
  const { query } = search.job;
  const read = (options: readonly string[], onOutput: (bytes: Buffer) => void) =>
    runRipgrep(search, { options: [...ROW_OPTIONS, ...options], paths: ['-'], input: readPieces(target), onOutput });
  let count = '';
  await read(['--count'], (bytes) => (count += bytes.toString('latin1')));
  const matches = Number(count);
  const parser = new RowParser(computeRowWidth(query, matches));
  if (matches > 0) await read([`--max-count=${countWantedRows(query, matches)}`], (bytes) => parser.add(bytes));
  const found = matches === 0 ? [] : [{ path: target.path, matches, rows: parser.rows }];
  return { found, matches, searched: 1, withheld: [] };
}

/** Reads the text of a file, without the byte order mark; nothing for a binary file. */
async function* readPieces(target: ResolvedPath): AsyncGenerator<Uint8Array> {
  await using file = await openFile(target);
  const lines = new LineShortener();
  let isFirst = true;
  for await (const chunk of readInChunks(file)) {
    if (isFirst && isBinary(chunk)) return;
    // Copied, because the next piece uses the same memory.
    const bytes = Buffer.from(chunk);
    yield* lines.shorten(isFirst ? stripByteOrderMark(bytes) : bytes);
    isFirst = false;
  }
}

/** Cuts lines that are so long that a search would have to keep too much in memory; takes pieces of a text. */
export class LineShortener {
  #length = 0;

  shorten(bytes: Uint8Array): readonly Uint8Array[] {
    const first = bytes.indexOf(LINE_FEED);
    const end = first === -1 ? bytes.length : first;
    const kept = Math.min(end, LONGEST_LINE - this.#length);
    this.#length = first === -1 ? this.#length + kept : bytes.length - 1 - bytes.lastIndexOf(LINE_FEED);
    return kept === end ? [bytes] : [bytes.subarray(0, kept), bytes.subarray(end)];
  }
}
