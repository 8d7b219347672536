import { BINARY_PROBE, isBinaryFile, openFoundFile } from '../file/file-content.ts';
import type { SearchScope } from '../list/search-scope.ts';
import { SECRET_FILES } from '../path/path-protection.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import {
  type FileCount,
  type GrepJob,
  type GrepQuery,
  hasNamedPath,
  LARGEST,
  type MatchedFile,
  type Matches,
  isWithheld,
  listSearchedFiles,
  scopeQuery,
} from './grep-query.ts';
import { allotRows, countWantedRows } from './match-rows.ts';
import { CountParser, parseDebugLine } from './ripgrep-output.ts';
import { runRipgrep } from './ripgrep.ts';
import type { RipgrepSearch } from './search-large-files.ts';

/** Counts files with matches. */
export class MatchCounter {
  readonly #files = new Set<FileCount | MatchedFile>();
  readonly #query: GrepQuery;
  readonly #onFirst: () => void;
  #matches = 0;
  // Kept until a file is added or removed, because they are needed several times, and there may be thousands of files.
  #sorted: readonly (FileCount | MatchedFile)[] | undefined;
  #shown: readonly FileCount[] | undefined;

  /** @param onFirst called at the first file, unless it is added with its rows */
  constructor(query: GrepQuery, onFirst: () => void = () => undefined) {
    this.#query = query;
    this.#onFirst = onFirst;
  }

  get matches(): number {
    return this.#matches;
  }

  add(file: FileCount | MatchedFile): void {
    this.#matches += file.matches;
    this.#sorted = this.#shown = undefined;
    if (this.#files.add(file).size === 1 && !('rows' in file)) this.#onFirst();
  }

  remove(file: FileCount): void {
    if (!this.#files.delete(file)) return;
    this.#matches -= file.matches;
    this.#sorted = this.#shown = undefined;
  }

  /** Returns the files, sorted by path. */
  sorted(): readonly (FileCount | MatchedFile)[] {
    return (this.#sorted ??= [...this.#files].toSorted((a, b) => (a.path < b.path ? -1 : 1)));
  }

  /** Returns the counted files of which rows are shown, sorted by path. */
  shown(): readonly FileCount[] {
    if (this.#shown !== undefined) return this.#shown;
    const { forCode, fileLimit } = this.#query;
    const rows = countWantedRows(this.#query, this.#matches);
    const allotted = allotRows(this.sorted(), rows, forCode === true ? rows : fileLimit);
    return (this.#shown = this.sorted().filter((file) => !('rows' in file) && allotted.has(file.path)));
  }
}

/** Size from which a file is not counted first, but searched in one pass, in bytes. */
export const LARGE = 2 * 1024 * 1024;

/** Numbers of the searched files and of those left out, and the paths of large ones, which are not counted. */
interface FileTotals extends Pick<Matches, 'searched' | 'withheld' | 'ignoredPaths'> {
  readonly large: readonly string[];
  readonly tooLarge: number;
}

/** Sorts out a large file by its size: returns true if it is searched only when a path names it. */
export function isTooLarge(size: number, job: GrepJob): boolean {
  return size > LARGEST && !hasNamedPath(job);
}

/** Maximum number of files named in one run of ripgrep. */
const BATCH = 500;

/** Counts the matching lines below a folder, or in the files of a file pattern, except in large files. */
export async function countMatches(search: RipgrepSearch, counter: MatchCounter): Promise<FileTotals> {
  const { job, signal } = search;
  const scope = await scopeQuery(job);
  if (job.query.only === undefined && scope !== undefined && !isRestricted(scope, job) && (await isPlain(scope)))
    return await countFolder({ search, scope, counter });
  const { paths, withheld } = await listSearchedFiles(job, signal);
  // Naming a few files is faster than walking a folder; naming many is not.
  if (scope === undefined || paths.length <= BATCH) {
    return { ...(await countFiles(search, paths, counter)), withheld };
  }
  return { ...(await countFolder({ search, scope, counter, wanted: new Set(paths) })), withheld };
}

/** Tests whether rules of the user may keep files of a folder from being searched, which ripgrep cannot name. */
function isRestricted({ folder }: SearchScope, { root }: GrepJob): boolean {
  return root.rules.some(({ effect, reaches }) => effect === 'read' && reaches(folder));
}

/**
 * Tests whether ripgrep walks a folder as we would. It does not read rules above the folder, because it would continue
 * above the root. The rules of the root can be passed to it, those of folders in between cannot.
 */
async function isPlain({ matches, folder, rules }: SearchScope): Promise<boolean> {
  if (matches !== undefined) return false;
  const parts = folder.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    if ((await rules?.has(parts.slice(0, depth).join('/'))) === true) return false;
  }
  return true;
}

interface FolderCount {
  readonly search: RipgrepSearch;
  readonly scope: SearchScope;
  readonly counter: MatchCounter;
  /** The files to count, if not all in the folder; large files are removed. */
  readonly wanted?: Set<string>;
}

const COUNT_OPTIONS = ['--count', '--null', '--with-filename'];

/**
 * Counts the matching lines below a folder in one run of ripgrep.
 *
 * Secrets are not searched, and are counted only by their names: if the result depended on which of them match,
 * patterns could be used to guess a password letter by letter.
 */
async function countFolder({ search, scope, counter, wanted }: FolderCount): Promise<FileTotals> {
  const { query, root } = search.job;
  const excludesSecrets = wanted === undefined && query.secrets !== true;
  // Files whose first NUL is so far from the start that they count as text, and files whose names look like secrets.
  const late: string[] = [];
  const excluded: string[] = [];
  const ignoredPaths: string[] = [];
  const large: string[] = [];
  let tooLarge = 0;
  const { withoutLarge = new Set() } = search.job;
  const scopeKey = `${query.all === true}\0${scope.depth}\0${scope.folder}`;
  let isWithoutLarge = true;
  const isWanted = (path: string) => wanted?.has(path) ?? !isWithheld(path, search.job);
  const counts = new CountParser((path, matches) => isWanted(path) && counter.add({ path, matches }));
  await runRipgrep(search, {
    options: [
      ...COUNT_OPTIONS,
      '--stats',
      '--debug',
      // Getting the size of every file takes a fifth of the time.
      ...(withoutLarge.has(scopeKey) ? [] : [`--max-filesize=${LARGE}`]),
      ...(await walkOptions(scope)),
      ...(excludesSecrets ? SECRET_FILES.flatMap((name) => ['--iglob', `!${name}`]) : []),
    ],
    paths: [`./${scope.folder}`],
    onOutput: (bytes) => counts.add(bytes),
    onDebug: (line) => {
      const record = parseDebugLine(line);
      if (record?.kind === 'large') isWithoutLarge = false;
      if (record?.kind === 'large' && isWanted(record.path)) {
        if (isTooLarge(record.size, search.job)) tooLarge++;
        else large.push(record.path);
        wanted?.delete(record.path);
      }
      if (record?.kind === 'excluded') excluded.push(record.path);
      if (record?.kind === 'ignored') ignoredPaths.push(record.path);
      if (record?.kind === 'binary' && record.offset >= BINARY_PROBE) late.push(record.path);
    },
  });
  if (isWithoutLarge) withoutLarge.add(scopeKey);
  const withheld: string[] = [];
  const others: string[] = [];
  for (const path of excluded) {
    if (!(await isSearched(path, scope, root))) continue;
    if (isWithheld(path, search.job)) withheld.push(path);
    else others.push(path);
  }
  const more = others.length === 0 ? undefined : await countFiles(search, others, counter);
  const wantedLate = late.filter((path) => wanted?.has(path) ?? true);
  const texts = wantedLate.length === 0 ? undefined : await countFiles(search, wantedLate, counter);
  // Those that became large are not among the searched files of this run.
  const grown = texts === undefined ? 0 : wantedLate.length - texts.searched;
  return {
    searched: (wanted?.size ?? counts.searched + (more?.searched ?? 0)) - grown,
    large: [...large, ...(more?.large ?? []), ...(texts?.large ?? [])],
    withheld,
    tooLarge: tooLarge + (more?.tooLarge ?? 0) + (texts?.tooLarge ?? 0),
    ...(wanted === undefined && { ignoredPaths }),
  };
}

async function walkOptions({ folder, depth, skipped, rules }: SearchScope): Promise<readonly string[]> {
  const options = skipped.flatMap((name) => ['-g', `!${name}/`]);
  if (depth !== undefined) options.push('--max-depth', String(depth));
  if (rules === undefined) options.push('--no-ignore');
  else if (folder !== '' && (await rules.has(''))) options.push('--ignore-file', './.gitignore');
  return options;
}

/** Tests whether a path is a regular file that is neither skipped nor ignored. */
async function isSearched(path: string, { skipped, rules }: SearchScope, root: RootFolder): Promise<boolean> {
  if (skipped.some((name) => path === name || path.endsWith(`/${name}`))) return false;
  if ((await rules?.ignores(path)) === true) return false;
  try {
    using file = resolveBelowRoot(path, root);
    return file.path === path && file.stats?.isFile() === true;
  } catch {
    return false;
  }
}

/** Counts the matching lines of files that are neither binary nor large. */
async function countFiles(
  search: RipgrepSearch,
  paths: readonly string[],
  counter: MatchCounter,
): Promise<Pick<FileTotals, 'searched' | 'large' | 'tooLarge'>> {
  const texts: string[] = [];
  const large: string[] = [];
  let [searched, tooLarge] = [0, 0];
  for (const path of paths) {
    search.signal?.throwIfAborted();
    await using file = await openFoundFile(path, search.job.root);
    if (file === null) continue;
    const { size } = await file.stat();
    if (size > LARGE) {
      if (isTooLarge(size, search.job)) tooLarge++;
      else large.push(path);
      continue;
    }
    searched++;
    if (!(await isBinaryFile(file))) texts.push(path);
  }
  const counts = new CountParser((path, matches) => counter.add({ path, matches }));
  // A run without files still checks the pattern.
  for (let from = 0; from === 0 || from < texts.length; from += BATCH) {
    await runRipgrep(search, {
      options: [...COUNT_OPTIONS, '--text'],
      paths: texts.length === 0 ? ['-'] : texts.slice(from, from + BATCH).map((path) => `./${path}`),
      onOutput: (bytes) => counts.add(bytes),
    });
  }
  return { searched, large, tooLarge };
}
