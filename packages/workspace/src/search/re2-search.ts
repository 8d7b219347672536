import { Worker } from 'node:worker_threads';
import { readWhole } from '../file/open-file.ts';
import { badPattern } from './check-pattern.ts';
import { type GrepJob, LARGEST, searchedFiles } from './grep-query.ts';
import { type FoundFile, rowsWanted, rowWidth, SHOWN } from './match-rows.ts';
import type { Re2Reply, Re2Request } from './re2-worker.ts';
import { withinLimit } from './search-limit.ts';

/** Bytes of the largest file that is searched without ripgrep. */
const LARGEST_NAMED = 64 * LARGEST;

/**
 * Searches with an engine in a worker thread.
 *
 * @throws TimeoutError when it takes too long
 */
export function searchWithoutRipgrep(job: GrepJob): Promise<Matches & { readonly withheld: number }> {
  return withinLimit(job.query.signal, async (signal) => {
    const { query, root, place } = job;
    const isNamed = place?.stats?.isFile() === true;
    const { paths, withheld } = isNamed ? { paths: [place.path], withheld: 0 } : await searchedFiles(job, signal);
    const read = (path: string) => readWhole(path, root, isNamed ? LARGEST_NAMED : LARGEST);
    const run = { pattern: query.pattern, limit: rowsWanted(query), signal, paths, read };
    const found = await re2Search({ ...run, width: SHOWN });
    // How long a row may be is known when all are counted.
    const width = rowWidth(query, found.matches);
    const isAll = width === SHOWN || !found.shown.some(({ rows }) => rows.some(({ long }) => long !== undefined));
    return { ...(isAll ? found : await re2Search({ ...run, width })), withheld };
  });
}

/** A search without ripgrep. */
export interface Re2Search {
  readonly pattern: string;
  readonly limit: number;
  /** Most characters of a row for code. */
  readonly width: number;
  /** Names of the files. */
  readonly paths: Iterable<string>;
  /** Ends the search, whatever the engine is doing. */
  readonly signal: AbortSignal;
  /** A file's bytes; undefined for one that is left out. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** Megabytes that the engine may use. */
const MEMORY = 512;
/** Bytes handed to the worker at a time. */
const BATCH = 1024 * 1024;

/**
 * Searches files in a worker thread with an engine that takes time in proportion to the text.
 *
 * @throws PatternError when the engine does not accept the pattern; the signal's reason when aborted
 */
export async function re2Search(search: Re2Search): Promise<Matches> {
  search.signal.throwIfAborted();
  const worker = new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
  try {
    return await searchInBatches(search, new Exchange(worker, search.signal));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw badPattern(search.pattern, 'too large', undefined);
  } finally {
    await worker.terminate();
  }
}

async function searchInBatches(search: Re2Search, exchange: Exchange): Promise<Matches> {
  const { pattern, limit, width } = search;
  const collector = new MatchCollector(limit);
  let names: string[] = [];
  let files: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const reply = await exchange.ask({ pattern, limit, width, files });
    if ('problem' in reply) throw problemError(pattern, reply.problem);
    for (const [index, { rows, matches }] of reply.files.entries()) {
      const path = names[index] as string;
      if (matches > 0) collector.add({ path, rows, matches });
    }
    collector.looked(files.length);
    [names, files, size] = [[], [], 0];
  };
  for (const path of search.paths) {
    const bytes = await search.read(path);
    exchange.signal.throwIfAborted();
    if (bytes === undefined) continue;
    names.push(path);
    files.push(bytes);
    size += bytes.length;
    if (size > BATCH) await flush();
  }
  await flush();
  return collector.finish();
}

/** Question and answer with the worker, one at a time. */
class Exchange {
  readonly #worker: Worker;
  readonly signal: AbortSignal;

  constructor(worker: Worker, signal: AbortSignal) {
    this.#worker = worker;
    this.signal = signal;
  }

  async ask(request: Re2Request): Promise<Re2Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Re2Reply>();
    const abort = (): void => reject(this.signal.reason as Error);
    this.signal.throwIfAborted();
    this.signal.addEventListener('abort', abort, { once: true });
    this.#worker.once('message', resolve).once('error', reject);
    // Handed over, not copied, which for large files would take long.
    this.#worker.postMessage(
      request,
      request.files.map(({ buffer }) => buffer as ArrayBuffer),
    );
    try {
      return await promise;
    } finally {
      this.signal.removeEventListener('abort', abort);
      this.#worker.off('message', resolve).off('error', reject);
    }
  }
}

/** The worker is a file of its own: source when the sources run, compiled otherwise. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './re2-worker.ts' : './re2-worker.js', import.meta.url);
}

/** The engine quotes the part it does not accept; its place in the pattern is the position. */
function problemError(pattern: string, problem: string): Error {
  const [, reason = problem, part] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(problem) ?? [];
  // All of the pattern is quoted for a parenthesis too many, which says nothing about the place.
  const at =
    part === undefined || (part === pattern && reason.startsWith('unexpected')) ? -1 : pattern.lastIndexOf(part);
  return badPattern(pattern, reason, at === -1 ? undefined : at);
}

/** What a search has found, to be shown in parts. */
export interface Matches {
  /** The files whose first matches are shown, by path; rows as they are shown. */
  readonly shown: readonly FoundFile[];
  /** Matching lines in all, shown or not. */
  readonly matches: number;
  /** Files with a match. */
  readonly files: number;
  /** Files that were looked into. */
  readonly searched: number;
}

/** Rows that are kept besides, so that files are not sorted for every few. */
const ROOM = 1000;

/** Keeps the first rows of a search by path and line, whatever the order they come in, and counts them all. */
export class MatchCollector {
  readonly #limit: number;
  #shown: FoundFile[] = [];
  #rows = 0;
  #matches = 0;
  #files = 0;
  #searched = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts files that were looked into. */
  looked(files: number): void {
    this.#searched += files;
  }

  /** Takes in one file with matches; rows over the limit may be left out. */
  add(file: FoundFile): void {
    const rows = file.rows.slice(0, this.#limit);
    this.#files++;
    this.#matches += file.matches;
    this.#shown.push({ ...file, rows });
    this.#rows += rows.length;
    if (this.#rows > this.#limit * 2 + ROOM) this.#keepFirst();
  }

  finish(): Matches {
    this.#keepFirst();
    return { shown: this.#shown, matches: this.#matches, files: this.#files, searched: this.#searched };
  }

  #keepFirst(): void {
    const kept: FoundFile[] = [];
    this.#rows = 0;
    for (const file of this.#shown.toSorted(byPath)) {
      const rows = file.rows.slice(0, this.#limit - this.#rows);
      if (rows.length === 0) continue;
      kept.push({ ...file, rows });
      this.#rows += rows.length;
    }
    this.#shown = kept;
  }
}

function byPath(a: FoundFile, b: FoundFile): number {
  return a.path < b.path ? -1 : 1;
}
