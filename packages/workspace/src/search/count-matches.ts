import { BINARY_PROBE, isBinary } from '../file/file-digest.ts';
import { readWhole } from '../file/open-file.ts';
import type { SearchScope } from '../list/search-scope.ts';
import { SECRET_FILES } from '../path/path-protection.ts';
import { findInside } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { isWithheld, LARGEST, scopeOf, searchedFiles } from './grep-query.ts';
import { rowsWanted } from './match-rows.ts';
import { RipgrepCounts, ripgrepRemark } from './ripgrep-output.ts';
import { type RipgrepEngine, runEngine } from './ripgrep.ts';

/** What is known of a search before any line is read. */
export interface CountedMatches {
  readonly found: MatchingFiles;
  /** Files that were looked into. */
  readonly searched: number;
  /** Secrets that were not. */
  readonly withheld: number;
}

/**
 * Counts the matching lines below a folder, or in the files of a file pattern.
 *
 * @param onFirst hears of the first file that has any
 */
export async function countMatches(engine: RipgrepEngine, onFirst: () => void): Promise<CountedMatches> {
  const { job } = engine;
  // More than there can be rows, in case some turn out to be binary or elsewhere.
  const found = new MatchingFiles(2 * rowsWanted(job.query), onFirst);
  const scope = await scopeOf(job);
  const isWhole = job.query.only === undefined && scope !== undefined;
  if (isWhole && (await isPlain(scope))) return { found, ...(await countFolder({ engine, scope, found })) };
  const { paths, withheld } = await searchedFiles(job, engine.signal);
  // Naming a few is faster than going through a folder; naming many is not.
  if (scope === undefined || paths.length <= BATCH) {
    return { found, withheld, searched: await countFiles(engine, paths, found) };
  }
  const { searched } = await countFolder({ engine, scope, found, wanted: new Set(paths) });
  return { found, withheld, searched };
}

/**
 * True for a folder that ripgrep goes through as we would. It is told to look for no rules above the folder, since
 * it would go on above the root; those of the root can be handed to it, those of folders between cannot.
 */
async function isPlain({ matches, folder, rules }: SearchScope): Promise<boolean> {
  if (matches !== undefined) return false;
  const parts = folder.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    if ((await rules?.has(parts.slice(0, depth).join('/'))) === true) return false;
  }
  return true;
}

/** What to count, and where to. */
export interface FolderCount {
  readonly engine: RipgrepEngine;
  readonly scope: SearchScope;
  readonly found: MatchingFiles;
  /** The files that count, when not all of the folder do; those that are too large are taken out. */
  readonly wanted?: Set<string>;
}

/** What ripgrep passes over. */
interface PassedOver {
  /** Files with a NUL so far behind their beginning that they are text. */
  readonly late: string[];
  /** Files whose names look like those of secrets. */
  readonly excluded: string[];
}

const COUNTING = ['--count', '--null', '--with-filename', '--stats', '--debug', '--max-filesize', '1M'];

/**
 * Counts the matching lines below a folder in one run of ripgrep.
 *
 * Secrets are not searched, and counted by their names alone: were it told which of them match, a pattern could
 * ask for one letter of a password after the other.
 */
export async function countFolder(count: FolderCount): Promise<{ searched: number; withheld: number }> {
  const { engine, scope, found, wanted } = count;
  const { query } = engine.job;
  const excludesSecrets = wanted === undefined && query.secrets !== true;
  const passed: PassedOver = { late: [], excluded: [] };
  const counts = new RipgrepCounts((path, matches) => {
    if (wanted?.has(path) ?? !isWithheld(path, query)) found.add({ path, matches });
  });
  await runEngine(engine, {
    options: [
      ...COUNTING,
      ...(await walkOptions(scope)),
      ...(excludesSecrets ? SECRET_FILES.flatMap((name) => ['--iglob', `!${name}`]) : []),
    ],
    paths: [`./${scope.folder}`],
    onOutput: (bytes) => counts.take(bytes),
    onRemark: (line) => takeRemark(line, passed, wanted),
  });
  const { secret, others } = await sort(passed.excluded, count);
  const late = passed.late.filter((path) => wanted?.has(path) ?? true);
  const more = others.length === 0 ? 0 : await countFiles(engine, others, found);
  if (late.length > 0) await countFiles(engine, late, found);
  return { searched: wanted?.size ?? counts.searched + more, withheld: secret };
}

async function walkOptions({ folder, depth, skipped, rules }: SearchScope): Promise<readonly string[]> {
  const options = skipped.flatMap((name) => ['-g', `!${name}/`]);
  if (depth !== undefined) options.push('--max-depth', String(depth));
  if (rules === undefined) options.push('--no-ignore');
  else if (folder !== '' && (await rules.has(''))) options.push('--ignore-file', './.gitignore');
  return options;
}

function takeRemark(line: string, { late, excluded }: PassedOver, wanted: Set<string> | undefined): void {
  const remark = ripgrepRemark(line);
  if (remark === undefined) return;
  const { path } = remark;
  if (remark.kind === 'large') wanted?.delete(path);
  else if (remark.kind === 'excluded') excluded.push(path);
  else if (remark.offset >= BINARY_PROBE) late.push(path);
}

/** How many of the excluded are secrets; and the files that only have a name like one. */
async function sort(
  excluded: readonly string[],
  { engine: { job }, scope }: FolderCount,
): Promise<{ secret: number; others: readonly string[] }> {
  const others: string[] = [];
  let secret = 0;
  for (const path of excluded) {
    if (scope.skipped.some((name) => path === name || path.endsWith(`/${name}`))) continue;
    if ((await scope.rules?.ignores(path)) === true || !isFile(path, job.root)) continue;
    if (isWithheld(path, job.query)) secret++;
    else others.push(path);
  }
  return { secret, others };
}

function isFile(path: string, root: RootFolder): boolean {
  try {
    using place = findInside(path, root);
    return place.path === path && place.stats?.isFile() === true;
  } catch {
    return false;
  }
}

/** Files named in one run of ripgrep. */
export const BATCH = 500;

/**
 * Counts the matching lines of some files, leaving out what is binary, too large or not there.
 *
 * @param paths below the root, without links
 * @returns how many files were looked into
 */
export async function countFiles(
  engine: RipgrepEngine,
  paths: readonly string[],
  found: MatchingFiles,
): Promise<number> {
  const texts: string[] = [];
  let searched = 0;
  for (const path of paths) {
    engine.signal?.throwIfAborted();
    const bytes = await readWhole(path, engine.job.root, LARGEST);
    if (bytes === undefined) continue;
    searched++;
    if (!isBinary(bytes)) texts.push(path);
  }
  const counts = new RipgrepCounts((path, matches) => found.add({ path, matches }));
  // A run over nothing still tells whether the pattern is one.
  for (let from = 0; from === 0 || from < texts.length; from += BATCH) {
    await runEngine(engine, {
      options: ['--count', '--null', '--with-filename', '--text'],
      paths: texts.length === 0 ? ['-'] : texts.slice(from, from + BATCH).map((path) => `./${path}`),
      onOutput: (bytes) => counts.take(bytes),
    });
  }
  return searched;
}

/** A file, and how many of its lines match. */
export interface MatchingFile {
  /** Below the root, without links. */
  readonly path: string;
  readonly matches: number;
}

/** Counts files with matches, and keeps the first of them by path. */
export class MatchingFiles {
  readonly #kept: number;
  readonly #onFirst: () => void;
  #first: MatchingFile[] = [];
  #last: string | undefined;
  #matches = 0;
  #files = 0;

  /**
   * @param kept how many files to keep
   * @param onFirst hears of the first one
   */
  constructor(kept: number, onFirst: () => void = () => undefined) {
    this.#kept = kept;
    this.#onFirst = onFirst;
  }

  /** Matching lines in all. */
  get matches(): number {
    return this.#matches;
  }

  get files(): number {
    return this.#files;
  }

  add(file: MatchingFile): void {
    this.#files++;
    this.#matches += file.matches;
    if (this.#files === 1) this.#onFirst();
    if (this.#last !== undefined && file.path > this.#last) return;
    this.#first.push(file);
    if (this.#first.length >= this.#kept * 10) this.first();
  }

  /** Takes a kept file out of the count again. */
  remove(file: MatchingFile): void {
    this.#files--;
    this.#matches -= file.matches;
  }

  /** The first files by path. */
  first(): readonly MatchingFile[] {
    this.#first = this.#first.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, this.#kept);
    if (this.#first.length === this.#kept) this.#last = this.#first.at(-1)?.path;
    return this.#first;
  }
}
