import { checkPattern } from './check-pattern.ts';
import { containPath, type RootNames } from './contain-path.ts';
import { chunksOf } from './file-chunks.ts';
import { findFiles, rulesFor } from './find-files.ts';
import type { GrepQuery, GrepResult } from './grep-result.ts';
import { listFiles } from './list-files.ts';
import { MatchCollector } from './match-collector.ts';
import { openFile } from './open-file.ts';
import { findPlace, type Place } from './place.ts';
import { re2Search } from './re2-search.ts';
import { RipgrepRecords } from './ripgrep-records.ts';
import { runRipgrep } from './ripgrep.ts';
import { skippedFolders } from './skipped-folders.ts';

/** A search whose place has been looked up. */
export interface GrepJob {
  readonly query: GrepQuery;
  readonly names: RootNames;
  /** The file or folder to search; absent for a file pattern. */
  readonly place?: Place | undefined;
  /** Path of the ripgrep program; absent to search without it. */
  readonly ripgrep: string | undefined;
}

const MOST_ROWS = 50;
/** Bytes of the largest file that is searched without being named. */
const LARGEST = 1024 * 1024;
/** Bytes of the largest file that is searched without ripgrep. */
const LARGEST_NAMED = 64 * LARGEST;
/** Files named in one run of ripgrep. */
const BATCH = 500;

/**
 * Searches text files line by line. Binary files are left out, and files over 1 MB that were not named.
 *
 * @throws PatternError when the pattern cannot be used; PathError when a file pattern leaves the workspace
 */
export async function grepFiles(job: GrepJob): Promise<GrepResult> {
  checkPattern(job.query.pattern);
  const result = job.ripgrep === undefined ? await searchHere(job) : await searchWithRipgrep(job, job.ripgrep);
  return { ...result, rows: result.rows.map((row) => ({ ...row, path: shownPath(row.path, job) })) };
}

async function searchWithRipgrep(job: GrepJob, program: string): Promise<GrepResult> {
  const { query, names } = job;
  const limit = query.limit ?? MOST_ROWS;
  const collector = new MatchCollector(limit);
  const records = new RipgrepRecords(collector, limit);
  for (const { options, paths } of await ripgrepTargets(job)) {
    await runRipgrep({
      program,
      root: names.roots[0] as string,
      pattern: query.pattern,
      options,
      paths: paths.map((path) => `./${path}`),
      signal: query.signal,
      onRecord: (record) => records.take(record),
    });
  }
  return collector.finish();
}

interface RipgrepTargets {
  readonly options: readonly string[];
  readonly paths: readonly string[];
}

async function ripgrepTargets({ query, names, place }: GrepJob): Promise<readonly RipgrepTargets[]> {
  if (place?.stats?.isFile()) return [{ options: [], paths: [place.path] }];
  if (place !== undefined) {
    const rules = query.all === true ? undefined : await rulesFor(place.path, names.roots[0] as string);
    const skipped = skippedFolders(place.path).flatMap((name) => ['-g', `!${name}/`]);
    return [{ options: ['--max-filesize', '1M', ...skipped, ...(rules ? [] : ['--no-ignore'])], paths: [place.path] }];
  }
  const paths: string[] = [];
  for (const path of await patternFiles({ query, names })) {
    const { stats, path: real } = await findPlace(path, names);
    if (stats?.isFile() && stats.size <= LARGEST) paths.push(real);
  }
  const batches: RipgrepTargets[] = [];
  for (let from = 0; from < paths.length; from += BATCH) {
    batches.push({ options: [], paths: paths.slice(from, from + BATCH) });
  }
  // A run over nothing still tells whether the pattern is one.
  return batches.length > 0 ? batches : [{ options: ['--max-depth', '0'], paths: [''] }];
}

function patternFiles({ query, names }: Pick<GrepJob, 'query' | 'names'>): Promise<readonly string[]> {
  return findFiles({ pattern: query.path ?? '', all: query.all, signal: query.signal }, names);
}

function searchHere(job: GrepJob): Promise<GrepResult> {
  const { query, names, place } = job;
  const largest = place?.stats?.isFile() ? LARGEST_NAMED : LARGEST;
  return re2Search({
    pattern: query.pattern,
    limit: query.limit ?? MOST_ROWS,
    signal: query.signal,
    paths: pathsHere(job),
    read: (path) => readUpTo(path, names, largest),
  });
}

async function* pathsHere({ query, names, place }: GrepJob): AsyncGenerator<string> {
  if (place === undefined) {
    yield* await patternFiles({ query, names });
    return;
  }
  if (place.stats?.isFile()) {
    yield place.path;
    return;
  }
  const root = names.roots[0] as string;
  const rules = query.all === true ? undefined : await rulesFor(place.path, root);
  const skipped = skippedFolders(place.path);
  const files = listFiles({ root, folder: place.path, skipped, rules, signal: query.signal });
  for await (const path of files) yield place.path === '' ? path : `${place.path}/${path}`;
}

/** A file's bytes; undefined when it is too large, or cannot be read. */
async function readUpTo(path: string, names: RootNames, largest: number): Promise<Uint8Array | undefined> {
  try {
    const place = await findPlace(path, names);
    if (place.stats === undefined || place.stats.size > largest) return undefined;
    await using handle = await openFile(place);
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunksOf(handle)) pieces.push(Uint8Array.from(chunk));
    return Buffer.concat(pieces);
  } catch {
    return undefined;
  }
}

/** A found path under the name its folder was asked for, where that is a link. */
function shownPath(path: string, { place, names }: GrepJob): string {
  if (place === undefined) return path;
  const asked = containPath(place.given, names);
  if (asked === place.path) return path;
  return [asked, path.slice(place.path.length).replace(/^\//, '')].filter((part) => part !== '').join('/');
}
