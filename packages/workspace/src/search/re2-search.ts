import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readFoundFile } from '../file/file-content.ts';
import { createPatternError } from './check-pattern.ts';
import { listSearchedFiles, type GrepJob, type MatchedFile, type Matches } from './grep-query.ts';
import { computeRowWidth, countWantedRows, ROW_WIDTH } from './match-rows.ts';
import type { Re2Reply, Re2Request } from './re2-worker.ts';

const MEMORY = 512;
/** Bytes of the largest file that is searched in memory. */
const LARGEST = 64 * 1024 * 1024;
/** Rows that are kept to choose from. */
const KEPT_ROWS = 2000;
/** Bytes handed to the worker at a time. */
const BATCH = 1024 * 1024;

/** Searches files in memory, with an engine in a worker thread. */
export async function searchWithRe2(job: GrepJob, signal: AbortSignal | undefined): Promise<Matches> {
  const { query, root, target } = job;
  const isNamed = target?.stats?.isFile() === true;
  const { paths, withheld } = isNamed ? { paths: [target.path], withheld: [] } : await listSearchedFiles(job, signal);
  const read = (path: string) => readFoundFile(path, root, { largest: LARGEST });
  const run = { pattern: query.pattern, limit: countWantedRows(query), signal, paths, read };
  const result = await re2Search({ ...run, width: ROW_WIDTH });
  // How long a row may be is known when all are counted.
  const width = computeRowWidth(query, result.matches);
  const hasLong = result.found.some(({ rows }) => rows.some(({ long }) => long !== undefined));
  return { ...(width > ROW_WIDTH && hasLong ? await re2Search({ ...run, width }) : result), withheld };
}

export interface Re2Search {
  readonly pattern: string;
  readonly limit: number;
  /** Most characters of a row for code. */
  readonly width: number;
  readonly paths: readonly string[];
  /** Ends the search, whatever the engine is doing. */
  readonly signal: AbortSignal | undefined;
  /** A file's bytes; undefined for one that is left out. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

/** Searches files in a worker thread with an engine that takes time in proportion to the text. */
export async function re2Search(search: Re2Search): Promise<Omit<Matches, 'withheld'>> {
  search.signal?.throwIfAborted();
  const worker = new Worker(locateRe2Worker(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
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
  const found: MatchedFile[] = [];
  let [rowCount, matchCount, searched] = [0, 0, 0];
  let batch: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const replies = await ask(worker, { ...most, files: batch.map(({ bytes }) => bytes) }, signal);
    for (const [index, { rows, matches }] of replies.entries()) {
      if (matches === 0) continue;
      matchCount += matches;
      // Of a file that comes when there are enough, one is kept: it may be shown in place of others.
      const room = Math.max(most.limit, KEPT_ROWS) - rowCount;
      found.push({ path: batch[index]!.path, matches, rows: rows.slice(0, Math.max(1, room)) });
      rowCount += rows.length;
    }
    searched += batch.length;
    [batch, size] = [[], 0];
  };
  for (const path of paths.toSorted()) {
    const bytes = await read(path);
    signal?.throwIfAborted();
    if (bytes === undefined) continue;
    batch.push({ path, bytes });
    size += bytes.length;
    if (size > BATCH) await flush();
  }
  await flush();
  return { found, matches: matchCount, searched };
}

async function ask(worker: Worker, request: Re2Request, signal: AbortSignal | undefined) {
  const replied = once(worker, 'message', { signal });
  // Handed over, not copied, which for large files would take long.
  worker.postMessage(
    request,
    request.files.map(({ buffer }) => buffer as ArrayBuffer),
  );
  const [reply] = (await replied) as [Re2Reply];
  if ('problem' in reply) throw createRe2Error(request.pattern, reply.problem);
  return reply.files;
}

/** The worker is a file of its own: source when the sources run, compiled otherwise. */
function locateRe2Worker(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './re2-worker.ts' : './re2-worker.js', import.meta.url);
}

/** The engine quotes the part it does not accept; its place in the pattern is the position. */
function createRe2Error(pattern: string, problem: string): Error {
  const [, reason = problem, part] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(problem) ?? [];
  // All of the pattern is quoted for a parenthesis too many, which does not show the place.
  const at =
    part === undefined || (part === pattern && reason.startsWith('unexpected')) ? -1 : pattern.lastIndexOf(part);
  return createPatternError(pattern, reason, at === -1 ? undefined : at);
}
