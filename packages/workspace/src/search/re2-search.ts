import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readFoundFile } from '../file/file-content.ts';
import { createPatternError } from './check-pattern.ts';
import { listSearchedFiles, type GrepJob, type MatchedFile, type Matches } from './grep-query.ts';
import { computeRowWidth, countWantedRows, ROW_WIDTH } from './match-rows.ts';
import type { Re2Reply, Re2Request } from './re2-worker.ts';

const MEMORY = 512;
/** Maximum size of a file that is searched in memory, in bytes. */
const LARGEST = 64 * 1024 * 1024;
/** Number of rows that are kept to choose from. */
const KEPT_ROWS = 2000;
/** Bytes passed to the worker at a time. */
const BATCH = 1024 * 1024;

/** Searches files in memory, with an engine in a worker thread. */
export async function searchWithRe2(job: GrepJob, signal: AbortSignal | undefined): Promise<Matches> {
  const { query, root, target } = job;
  const isNamed = target?.stats?.isFile() === true;
  const { paths, withheld } = isNamed ? { paths: [target.path], withheld: [] } : await listSearchedFiles(job, signal);
  const read = (path: string) => readFoundFile(path, root, { largest: LARGEST });
  const run = { pattern: query.pattern, limit: countWantedRows(query), signal, paths, read };
  const result = await re2Search({ ...run, width: ROW_WIDTH });
  // The maximum length of a row is known when all are counted.
  const width = computeRowWidth(query, result.matches);
  const hasLong = result.found.some(({ rows }) => rows.some(({ long }) => long !== undefined));
  return { ...(width > ROW_WIDTH && hasLong ? await re2Search({ ...run, width }) : result), withheld };
}

export interface Re2Search {
  readonly pattern: string;
  readonly limit: number;
  /** Maximum length of a row for code, in characters. */
  readonly width: number;
  readonly paths: readonly string[];
  /** Ends the search at any time. */
  readonly signal: AbortSignal | undefined;
  /** Reads the bytes of a file; undefined for a file that is left out. */
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
      // If there are enough rows already, one row of the file is kept, because it may be shown instead of others.
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
  // Transferred instead of copied, because copying large files takes long.
  worker.postMessage(
    request,
    request.files.map(({ buffer }) => buffer as ArrayBuffer),
  );
  const [reply] = (await replied) as [Re2Reply];
  if ('problem' in reply) throw createRe2Error(request.pattern, reply.problem);
  return reply.files;
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
