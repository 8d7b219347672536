import type { FileHandle } from 'node:fs/promises';
import { isBinaryFile, openFile, openFoundFile, readInChunks } from '../file/file-content.ts';
import { stripByteOrderMark } from '../file/text-file.ts';
import { HAS_DESCRIPTORS } from '../path/pinned-path.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';
import { type GrepJob, LARGEST, type MatchedFile, type Matches } from './grep-query.ts';
import { ROW_WIDTH } from './collect-rows.ts';
import { MOST_FOR_CODE, computeRowWidth, countWantedRows } from './match-rows.ts';
import { CountParser, RowParser } from './ripgrep-output.ts';
import { type Ripgrep, type RipgrepRun, runRipgrep } from './ripgrep.ts';

/** The parameters of ripgrep and the search that it performs. */
export interface RipgrepSearch extends Ripgrep {
  readonly job: GrepJob;
}

/** An open file to search. */
interface OpenText {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * Number of files searched in one run: another program can access all open files of this process, or only one as input.
 */
const AT_ONCE = HAS_DESCRIPTORS ? 100 : 1;
/** Name of the input in the output of ripgrep. */
const INPUT = '<stdin>';
const MEGABYTE = 1024 * 1024;
const LINE_FEED = 10;

/**
 * Searches files in one pass, which finds the rows and counts them. The files are opened here and passed to ripgrep
 * open: if it opened them by path, a folder replaced by a link during the search could lead it out of the workspace.
 *
 * @param others number of matches in other files, which share the limit for code
 * @returns the files with matches, and the number of files that existed
 */
export async function searchLargeFiles(
  search: RipgrepSearch,
  paths: readonly string[],
  others: number,
): Promise<Pick<Matches, 'found' | 'searched'>> {
  let searched = 0;
  const run = async (width: number): Promise<readonly MatchedFile[]> => {
    const found: MatchedFile[] = [];
    searched = 0;
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const texts: OpenText[] = [];
      await using opened = new AsyncDisposableStack();
      for (const path of paths.slice(from, from + AT_ONCE)) {
        const handle = opened.use(await openFoundFile(path, search.job.root));
        if (handle === null) continue;
        searched++;
        if (!(await isBinaryFile(handle))) texts.push({ path, handle });
      }
      found.push(...(await searchTexts({ search, texts, width, isStreamed: !HAS_DESCRIPTORS })));
    }
    return found;
  };
  return { found: await findLongRows(search, run, others), searched };
}

/** Searches one file of any size. */
export async function searchNamedFile(search: RipgrepSearch, target: ResolvedPath): Promise<Matches> {
  await using handle = await openFile(target);
  const { size } = await handle.stat();
  const isStreamed = !HAS_DESCRIPTORS || (size > LARGEST && !(await hasShortLines(handle, size)));
  const texts = (await isBinaryFile(handle)) ? [] : [{ path: target.path, handle }];
  const found = await findLongRows(search, (width) => searchTexts({ search, texts, width, isStreamed }), 0);
  return { found, matches: found[0]?.matches ?? 0, searched: 1, withheld: [] };
}

/** Searches again when rows were cut that code may get in full, which is known only after all rows are counted. */
async function findLongRows(
  { job: { query } }: RipgrepSearch,
  run: (width: number) => Promise<readonly MatchedFile[]>,
  others: number,
): Promise<readonly MatchedFile[]> {
  const found = await run(ROW_WIDTH);
  const matches = found.reduce((sum, file) => sum + file.matches, others);
  const width = computeRowWidth(query, matches);
  const isCut = width > ROW_WIDTH && found.some(({ rows }) => rows.some(({ long }) => long !== undefined));
  return isCut ? await run(width) : found;
}

interface TextSearch {
  readonly search: RipgrepSearch;
  readonly texts: readonly OpenText[];
  /** Maximum length of a row for code, in characters. */
  readonly width: number;
  /** True to pass a single text in pieces, with long lines cut. */
  readonly isStreamed: boolean;
}

/**
 * Finds the rows of texts. If there are more than code can get, ripgrep stops early, and counts the rest faster than it
 * would print it.
 */
async function searchTexts({ search, texts, width, isStreamed }: TextSearch): Promise<readonly MatchedFile[]> {
  const run = async (some: readonly OpenText[], options: readonly string[], onOutput: RipgrepRun['onOutput']) => {
    if (some.length === 0) return;
    const source = isStreamed
      ? { paths: ['-'], input: readPieces(some[0]!.handle) }
      : { paths: some.map(({ handle }) => addressOf(handle)) };
    await runRipgrep(search, { options: ['--text', '--with-filename', ...options], ...source, onOutput });
  };
  const nameOf = ({ handle }: OpenText): string => (isStreamed ? INPUT : addressOf(handle));
  const rows = new RowParser(width, countWantedRows(search.job.query, 0));
  await run(texts, ['--heading', '--line-number', '--column', `--max-count=${MOST_FOR_CODE + 1}`], (bytes) =>
    rows.add(bytes),
  );
  const counts = new Map([...rows.files].map(([name, { matches }]) => [name, matches]));
  const counter = new CountParser((name, matches) => void counts.set(name, matches));
  const many = texts.filter((text) => (counts.get(nameOf(text)) ?? 0) > MOST_FOR_CODE);
  await run(many, ['--count', '--null'], (bytes) => counter.add(bytes));
  return texts.flatMap((text) => {
    const found = rows.files.get(nameOf(text));
    return found === undefined ? [] : [{ path: text.path, matches: counts.get(nameOf(text))!, rows: found.rows }];
  });
}

/** Returns the path under which another program opens exactly this file, for as long as it is open here. */
function addressOf({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

/** Number of bytes at the start of every megabyte that must contain a line feed. */
const SAMPLE = 16 * 1024;

/** Tests whether no line is longer than about a megabyte, by sampling every megabyte of the file. */
async function hasShortLines(handle: FileHandle, size: number): Promise<boolean> {
  const sample = Buffer.allocUnsafe(SAMPLE);
  for (let at = 0; at < size; at += MEGABYTE) {
    const { bytesRead } = await handle.read(sample, 0, SAMPLE, at);
    if (bytesRead === SAMPLE && !sample.includes(LINE_FEED)) return false;
  }
  return true;
}

/** Reads the text of a file, without the byte order mark. */
async function* readPieces(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const lines = new LineShortener();
  let isFirst = true;
  for await (const chunk of readInChunks(handle)) {
    // Copied, because the next chunk uses the same memory.
    const bytes = Buffer.from(chunk);
    yield* lines.shorten(isFirst ? stripByteOrderMark(bytes) : bytes);
    isFirst = false;
  }
}

/** Cuts lines that are so long that a search would need too much memory; takes a text in pieces. */
export class LineShortener {
  #length = 0;

  shorten(bytes: Uint8Array): readonly Uint8Array[] {
    const first = bytes.indexOf(LINE_FEED);
    const end = first === -1 ? bytes.length : first;
    const kept = Math.min(end, MEGABYTE - this.#length);
    this.#length = first === -1 ? this.#length + kept : bytes.length - 1 - bytes.lastIndexOf(LINE_FEED);
    return kept === end ? [bytes] : [bytes.subarray(0, kept), bytes.subarray(end)];
  }
}
