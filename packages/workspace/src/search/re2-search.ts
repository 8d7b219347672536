import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { takeByKind } from '@bae/core/pipeline';
import { isBinaryFile, openFoundFile, readInChunks } from '../file/file-content.ts';
import { stripByteOrderMark } from '../file/text-file.ts';
import { createPatternError } from './check-pattern.ts';
import { LARGEST, hasNamedPath, listSearchedFiles, type GrepJob, type MatchRow, type Matches } from './grep-query.ts';
import { ROW_WIDTH } from './collect-rows.ts';
import { computeRowWidth, countWantedRows } from './match-rows.ts';
import type { Re2Reply, Re2Request } from './re2-worker.ts';
import { LineShortener } from './search-large-files.ts';

const LINE_FEED = 10;
const MEMORY = 512;
/** Number of rows that are kept to choose from. */
const KEPT_ROWS = 2000;
/** Number of bytes passed to the worker at a time. */
const BATCH = 1024 * 1024;

/** Searches files piece by piece, with an engine in a worker thread. */
export async function searchWithRe2(job: GrepJob, signal: AbortSignal | undefined): Promise<Matches> {
  const { query, root, target } = job;
  const { pattern, text } = query;
  if (text !== undefined) {
    const read = async () => [joinPieces([stripByteOrderMark(Buffer.from(text))])];
    const whole = { pattern, limit: countWantedRows(query), signal, paths: [''], read, width: ROW_WIDTH };
    return { ...(await re2Search(whole)), withheld: [] };
  }
  const isNamed = target?.stats?.isFile() === true;
  const { paths, withheld } = isNamed ? { paths: [target.path], withheld: [] } : await listSearchedFiles(job, signal);
  const largest = hasNamedPath(job) ? Infinity : LARGEST;
  let tooLarge = 0;
  const read = async (path: string): Promise<AsyncIterable<Uint8Array> | undefined> => {
    const handle = await openFoundFile(path, root);
    if (handle === null) return undefined;
    if ((await handle.stat()).size <= largest) return readWholeLines(handle);
    await handle.close();
    tooLarge++;
    return undefined;
  };
  const run = { pattern, limit: countWantedRows(query), signal, paths, read };
  const result = await re2Search({ ...run, width: ROW_WIDTH });
  const omitted = { withheld, ...(tooLarge > 0 && { tooLarge }) };
  // The maximum length of a row is known after all rows are counted.
  const width = computeRowWidth(query, result.matches);
  const hasLong = result.found.some(({ rows }) => rows.some(({ long }) => long !== undefined));
  return { ...(width > ROW_WIDTH && hasLong ? await re2Search({ ...run, width }) : result), ...omitted };
}

/** Reads whole lines in chunks of about a megabyte, and closes the file; yields nothing for a binary file. */
async function* readWholeLines(handle: FileHandle): AsyncGenerator<Uint8Array> {
  await using file = handle;
  if (await isBinaryFile(file)) return;
  const lines = new LineShortener();
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readInChunks(file)) {
    // Copied, because the next chunk uses the same memory.
    for (const bytes of lines.shorten(Uint8Array.from(chunk))) {
      pending.push(bytes);
      size += bytes.length;
    }
    if (size < BATCH) continue;
    const text = joinPieces(pending);
    const end = text.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield joinPieces([text.subarray(0, end)]);
    pending = [text.subarray(end)];
    size = text.length - end;
  }
  yield joinPieces(pending);
}

/** Joins pieces in a buffer with its own memory, so that it can be transferred to another thread. */
function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

export interface Re2Search {
  readonly pattern: string;
  readonly limit: number;
  /** Maximum length of a row for code, in characters. */
  readonly width: number;
  readonly paths: readonly string[];
  /** Ends the search at any time. */
  readonly signal: AbortSignal | undefined;
  /** Reads a text file in pieces that end at the end of a line; returns undefined for a file that is left out. */
  readonly read: (path: string) => Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined>;
}

/** Searches files in a worker thread with an engine that takes time in proportion to the text. */
export async function re2Search(search: Re2Search): Promise<Omit<Matches, 'withheld'>> {
  search.signal?.throwIfAborted();
  // Loaded here, because nothing else of a shell's start needs threads.
  const threads = await import('node:worker_threads');
  const worker = new threads.Worker(locateRe2Worker(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
  try {
    return await searchInBatches(search, worker);
  } catch (error) {
    search.signal?.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw createPatternError(search.pattern, 'too large', undefined);
  } finally {
    await worker.terminate();
  }
}

async function searchInBatches({ paths, read, signal, ...most }: Re2Search, worker: Worker) {
  const found: { path: string; matches: number; rows: readonly MatchRow[] }[] = [];
  let [rowCount, matchCount, searched] = [0, 0, 0];
  let batch: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  let size = 0;
  // Lines of the file that is searched in pieces.
  let before = { path: '', lines: 0 };
  const flush = async (): Promise<void> => {
    const replies = await ask(worker, { ...most, texts: batch.map(({ bytes }) => bytes) }, signal);
    for (const [index, { rows, matches, lines }] of replies.entries()) {
      const { path } = batch[index]!;
      if (before.path !== path) before = { path, lines: 0 };
      const shift = before.lines;
      before.lines += lines;
      if (matches === 0) continue;
      matchCount += matches;
      if (found.at(-1)?.path !== path) found.push({ path, matches: 0, rows: [] });
      const file = found.at(-1)!;
      file.matches += matches;
      // If there are enough rows already, one row of the file is kept, because it may be shown instead of others.
      const room = Math.max(file.rows.length === 0 ? 1 : 0, Math.max(most.limit, KEPT_ROWS) - rowCount);
      const own = [...file.rows, ...rows.map((row) => ({ ...row, line: row.line + shift }))];
      const kept = takeByKind(own, Math.min(file.rows.length + room, most.limit));
      rowCount += kept.length - file.rows.length;
      file.rows = kept;
    }
    [batch, size] = [[], 0];
  };
  for (const path of paths.toSorted()) {
    const pieces = await read(path);
    signal?.throwIfAborted();
    if (pieces === undefined) continue;
    searched++;
    for await (const bytes of pieces) {
      signal?.throwIfAborted();
      batch.push({ path, bytes });
      size += bytes.length;
      if (size > BATCH) await flush();
    }
  }
  await flush();
  return { found, matches: matchCount, searched };
}

async function ask(worker: Worker, request: Re2Request, signal: AbortSignal | undefined) {
  const replied = once(worker, 'message', { signal });
  // Transferred instead of copied, because copying large files is slow.
  worker.postMessage(
    request,
    request.texts.map(({ buffer }) => buffer as ArrayBuffer),
  );
  const [reply] = (await replied) as [Re2Reply];
  if ('problem' in reply) throw createRe2Error(request.pattern, reply.problem);
  return reply.texts;
}

/** Locates the file of the worker: the source when running from source, otherwise the compiled file. */
function locateRe2Worker(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './re2-worker.ts' : './re2-worker.js', import.meta.url);
}

/** Creates an error. The engine quotes the part that it rejects; the position is that of the quote in the pattern. */
function createRe2Error(pattern: string, problem: string): Error {
  const [, reason = problem, part] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(problem) ?? [];
  // For an extra parenthesis, the whole pattern is quoted, which does not show the position.
  const at =
    part === undefined || (part === pattern && reason.startsWith('unexpected')) ? -1 : pattern.lastIndexOf(part);
  return createPatternError(pattern, reason, at === -1 ? undefined : at);
}
