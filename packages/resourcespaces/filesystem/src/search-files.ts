import { BaeError, getPageLength, type SearchHit, type ToolContext } from '@bae/core';
import { countUnits, formatAlike, formatFileMatches, takeByKind } from '@bae/core/pipeline';
import {
  createSearchArgument,
  createTooManyMatchesError,
  escapePattern,
  formatPath,
  SeenFiles,
  formatQuantity,
  type GrepResult,
  type GrepRow,
  refuseMisspeltPattern,
  type WorkspaceRoot,
} from '@bae/workspace';
import { consentToShow, type ArgsOf } from './file-arguments.ts';
import { createNarrowerPattern, MAGIC } from './glob-files.ts';

const TOKENS_PER_MATCH = 10;
/** Number of rows that are kept for each row shown, so that further rows can be read without another search. */
const KEPT_PER_SHOWN = 10;

/**
 * Shows the lines that match a regular expression, with path and number; code gets all of them. Files that may hold
 * secrets are searched only when they are named and the user allows it.
 */
export async function grepFiles(
  root: WorkspaceRoot,
  { pattern: argument, path: given, ignored }: ArgsOf<'grep'>,
  context: ToolContext,
) {
  // The last word is used as the path if that path exists.
  const search = createSearchArgument({ argument, path: given }, (word) => isThere(root, word));
  const found = await grepOnce(root, { ...search, ignored }, context);
  const { withoutFlags } = search;
  if (found.rows > 0 || withoutFlags === undefined) return found;
  const others = await grepOnce(root, { ...withoutFlags, ignored }, context);
  if (others.rows === 0) return found;
  const { pattern, path } = withoutFlags;
  const shown = makeSearchTag({ pattern, path, ignored });
  const read = shown === undefined ? 'it was left out' : `this is ${context.tag(shown)}`;
  return {
    ...others,
    text: `${others.text}\nnothing matches with the flags, which searches do not have here; ${read}`,
  };
}

async function grepOnce(
  root: WorkspaceRoot,
  { pattern, path: place, none, ignored }: ReturnType<typeof createSearchArgument> & Pick<ArgsOf<'grep'>, 'ignored'>,
  context: ToolContext,
) {
  const { path, range } = await separateLines(root, place);
  const isNamed = path !== undefined && (await root.exists(path));
  const info = isNamed ? await root.info(path) : undefined;
  if (info !== undefined) context.files.add(info.path);
  const secrets = info !== undefined && (await consentToShow(info, context));
  const { signal, fromCode, answerLimit } = context;
  const fileLimit = Math.ceil(answerLimit / TOKENS_PER_MATCH);
  const limit = fileLimit * KEPT_PER_SHOWN;
  const query = {
    pattern,
    path,
    all: ignored,
    secrets,
    signal,
    limit,
    fileLimit,
    reading:
      isNamed && info?.kind === 'file' && range === undefined && !fromCode
        ? writeReading(info.path, context)
        : undefined,
    forCode: fromCode || range !== undefined,
  };
  const found = await root.grep(query).catch((error: unknown) => throwWithPath(error, { path: place, ignored }));
  const result = keepRange(found, range);
  if (result.searched === 0 && path !== undefined && MAGIC.test(path))
    await refuseMisspeltPattern(root, { pattern, path }, context);
  const page =
    info?.kind === 'file' && !fromCode
      ? renderFileRows(result, { pattern, path: path!, ignored, range }, context)
      : undefined;
  const leftOut = await findLeftOut(root, { path, fromCode });
  const otherCase = range === undefined && !fromCode ? await findOtherCase(root, query, result) : undefined;
  const text = page ?? renderGrepResult(result, { none, answerLimit, leftOut, otherCase });
  const paged = page !== undefined || (!fromCode && fitsOnPage(result, { text, answerLimit }));
  const output = { text, format: 'rows', rows: result.matches, ...(paged && { paged }) } as const;
  if (!fromCode) await rememberShown(root, result, context);
  const whole = async () => {
    const complete = fromCode ? result : keepRange(await root.grep({ ...query, forCode: true }), range);
    if (complete.all !== undefined)
      return complete.all.map(({ path, line, text, long = text }) => ({ path: formatPath(path), line, text: long }));
    const { matches, files, rows } = complete;
    const within = formatQuantity(files.length, 'file');
    const narrower = createNarrowerSearch(rows, { pattern, ignored, path, isFolder: info?.kind === 'folder' });
    const [first] = rows as readonly [GrepRow];
    const place = `<R:${formatPath(first.path)}:${first.line}>`;
    throw createTooManyMatchesError({ matches, within, place, narrower });
  };
  return { ...output, whole };
}

/** Writes how code reads a file from the place of a call. */
function writeReading(path: string, { tag }: Pick<ToolContext, 'tag'>): string {
  const [, space = ''] = /^<([\w.-]+\.)R:/.exec(tag('<R:x>')) ?? [];
  return `${space}read(${JSON.stringify(path)})`;
}

/** Number of pages that the rows of one file may fill. */
const PAGES_OF_ROWS = 2;

interface FileSearch extends ArgsOf<'grep'> {
  readonly path: string;
  readonly range: LineRange | undefined;
}

/**
 * Renders the rows of a file that was named on up to two pages, with the tag of the same search in the lines after them.
 * Returns undefined for rows that are better shown by kind, for more than are known, and when the tag cannot be written.
 */
function renderFileRows(
  { rows, matches }: GrepResult,
  { path, range, ...search }: FileSearch,
  { tag, answerLimit }: ToolContext,
): string | undefined {
  // Only of rows that are mostly alike does it count the others.
  const areAlike = takeByKind(rows, 1)[0]?.alike !== undefined;
  if (rows.length === 0 || rows.length < matches || areAlike) return undefined;
  const texts = rows.map(formatMatch);
  let room = PAGES_OF_ROWS * getPageLength(answerLimit);
  const end = texts.findIndex((text) => (room -= countUnits(text) + 1) < 0);
  if (end === -1) return texts.join('\n');
  const count = Math.max(end, 1);
  const rest = `${path}:${rows[count]!.line}-${range === undefined || range.last === Infinity ? '' : range.last}`;
  const next = makeSearchTag({ ...search, path: rest });
  if (next === undefined) return undefined;
  return `${texts.slice(0, count).join('\n')}\n[${count} of ${matches} rows; next: ${tag(next)}]`;
}

/** Number of rows up to which all are shown where they fit on a page: of what matches in so few places, each counts. */
const FEW_ROWS = 50;

function fitsOnPage(
  { rows, matches }: GrepResult,
  { text, answerLimit }: { readonly text: string; readonly answerLimit: number },
): boolean {
  if (matches > Math.min(rows.length, FEW_ROWS)) return false;
  return countUnits(text) <= getPageLength(answerLimit);
}

/** What a tag would take for a value with a name, or for quotes around the pattern. */
const MISREAD = /(?:^|[\s,])[\w-]+(?:=|: )|^\s|\s$|^['`]/;

/** Throws an error again after adding the path of the failed search to the searches that it suggests. */
function throwWithPath(error: unknown, where: Pick<ArgsOf<'grep'>, 'path' | 'ignored'>): never {
  if (!BaeError.is(error)) throw error;
  const hints = error.hints.map((hint) => {
    const [, pattern] = /^<Grep:([^"]*)>$/.exec(hint) ?? [];
    return (pattern !== undefined && makeSearchTag({ pattern, ...where })) || hint;
  });
  throw Object.assign(error, { hints });
}

/** Writes a search as a tag; undefined for a pattern that would need to be quoted. */
function makeSearchTag({ pattern, path, ignored }: ArgsOf<'grep'>): string | undefined {
  if (/[<>"\p{Cc}]/u.test(pattern) || MISREAD.test(pattern)) return undefined;
  const shown = path === undefined ? '' : ` path=${/\s/.test(path) ? `"${formatPath(path)}"` : formatPath(path)}`;
  const isQuoted = path === undefined && /\s/.test(pattern);
  return `<Grep:${isQuoted ? `"${pattern}"` : pattern}${shown}${ignored ? ' ignored=true' : ''}>`;
}

/** Numbers of the first and the last line that a search looks at; Infinity for the last line of the file. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Separates the lines from the path of a file, as `read` takes them: `src/a.ts:10-40`, `src/a.ts:10-`. */
async function separateLines(root: WorkspaceRoot, path: string | undefined) {
  const [, file = '', first = '', last = first] = /^(.+?):(\d+)(?:-(\d*))?$/.exec(path ?? '') ?? [];
  if (file === '' || (await root.exists(path!)) || !(await root.exists(file))) return { path };
  return { path: file, range: { first: Number(first), last: last === '' ? Infinity : Number(last) } };
}

/** Leaves out what a search found in other lines of the file. */
function keepRange(result: GrepResult, range: LineRange | undefined): GrepResult {
  if (range === undefined) return result;
  const isInRange = ({ line }: GrepRow): boolean => line >= range.first && line <= range.last;
  const rows = (result.all ?? result.rows).filter(isInRange);
  const files = rows.length === 0 ? [] : result.files.map((file) => ({ ...file, matches: rows.length }));
  return { ...result, rows, ...(result.all !== undefined && { all: rows }), matches: rows.length, files };
}

/** Maximum size of a file that is read again to determine its version, in bytes. */
const LARGEST_REMEMBERED = 1_000_000;

/**
 * Records the lines that were shown with their numbers, in the version that was searched, so that they can be edited.
 */
async function rememberShown(root: WorkspaceRoot, { rows, files }: GrepResult, context: ToolContext): Promise<void> {
  const seen = new SeenFiles(context);
  const hashes = new Map(files.map(({ path, hash }) => [path, hash]));
  for (const [path, shown] of Map.groupBy(rows, (row) => row.path)) {
    const hash = hashes.get(path) ?? (await hashShownFile(root, path));
    if (hash !== undefined) seen.shownLines(path, { hash, numbers: shown.map(({ line }) => line) });
  }
}

async function hashShownFile(root: WorkspaceRoot, path: string): Promise<string | undefined> {
  try {
    const { size } = await root.info(path);
    return size > LARGEST_REMEMBERED ? undefined : (await root.digest(path)).hash;
  } catch {
    // The file was removed, or may not be read: then it cannot be edited either.
    return undefined;
  }
}

/** Maximum length of the line that counts matches by file, and the answer limit from which this line is added. */
const COUNTS_ROOM = 120;
const COUNTS_FROM = 300;

/** Maximum number of omitted files that are named. */
const MOST_WITHHELD = 12;

function nameWithheld(paths: readonly string[]): string {
  const names = paths.slice(0, MOST_WITHHELD).map(formatPath).join(', ');
  const more = paths.length > MOST_WITHHELD ? ` +${paths.length - MOST_WITHHELD}` : '';
  const [first = ''] = paths;
  return `${names}${more}, which may hold secrets; path=${formatPath(first)} searches ${paths.length === 1 ? 'it' : 'one of them'}`;
}

/** Folder of built files, which searches leave out. */
const BUILT = 'dist';

/** Returns the folder of built files if a search of everything leaves it out though git does not ignore it. */
async function findLeftOut(
  root: WorkspaceRoot,
  { path, fromCode }: { readonly path: string | undefined; readonly fromCode: boolean },
): Promise<string | undefined> {
  if (path !== undefined || fromCode || !isThere(root, BUILT)) return undefined;
  return (await root.isIgnored(`${BUILT}/`)) ? undefined : BUILT;
}

/** Number of files up to which a search that found nothing is made again, ignoring case. */
const FEW_FILES = 1000;
/** A pattern of words: those with groups and counted repetitions may take too long to be searched for twice. */
const WORDS = /^(?=.*\p{L})[^+?(){}]{1,100}$/su;

/** Describes what a search that found nothing would find ignoring case; undefined if that is nothing too. */
async function findOtherCase(
  root: WorkspaceRoot,
  query: Parameters<WorkspaceRoot['grep']>[0],
  { matches, searched }: GrepResult,
): Promise<string | undefined> {
  const { pattern } = query;
  if (matches > 0 || searched === 0 || searched > FEW_FILES || !WORDS.test(pattern)) return undefined;
  const anyCase = `(?i)${pattern}`;
  const found = await root.grep({ ...query, pattern: anyCase, limit: 1 }).catch(() => undefined);
  if (found === undefined || found.matches === 0) return undefined;
  const tag = makeSearchTag({ pattern: anyCase, path: query.path, ignored: query.all === true });
  return `ignoring case: ${formatQuantity(found.matches, 'line')}${tag === undefined ? '' : `: ${tag}`}`;
}

interface RenderOptions {
  /** Text for a search that finds nothing. */
  readonly none: string;
  /** What it would find ignoring case. */
  readonly otherCase: string | undefined;
  readonly answerLimit: number;
  readonly leftOut: string | undefined;
}

function renderGrepResult(
  { rows, matches, files, searched, withheld, tooLarge = 0, ignored = 0, onlyIgnored }: GrepResult,
  { none, answerLimit, leftOut, otherCase }: RenderOptions,
): string {
  const note = withheld.length === 0 ? [] : [`not searched: ${nameWithheld(withheld)}`];
  if (leftOut !== undefined) note.push(`not searched: ${leftOut}/; path=${leftOut} searches it`);
  if (tooLarge > 0) note.push(`not searched: ${formatQuantity(tooLarge, 'file')} over 256 MB; name it with path=`);
  if (matches === 0) {
    const left = ignored === 0 ? '' : `; ${formatQuantity(ignored, 'file')} ignored by .gitignore: ignored=true`;
    const searchedFiles = `searched ${formatQuantity(searched, 'file')}${left}`;
    return [none, searchedFiles, ...(otherCase === undefined ? [] : [otherCase]), ...note].join('\n');
  }
  if (onlyIgnored === true) note.push('all of it in files that .gitignore excludes');
  const shown = rows.map(formatMatch);
  if (matches > rows.length) {
    const counts = files.map(({ path, matches }) => ({ path: formatPath(path), matches }));
    if (files.length > 1 && answerLimit >= COUNTS_FROM)
      shown.push(`by file: ${formatFileMatches(counts, COUNTS_ROOM)}`);
    shown.push(
      `... (${matches} total matches in ${formatQuantity(files.length, 'file')}). Narrow with ${files.length > 1 ? 'path=… or ' : ''}a longer pattern.`,
    );
  }
  return [...shown, ...note].join('\n');
}

function formatMatch({ path, line, text, alike }: GrepRow): string {
  return `${formatPath(path)}:${line}: ${text}${formatAlike(alike)}`;
}

function isThere(root: WorkspaceRoot, word: string): boolean {
  try {
    return root.open(word).info.kind !== 'missing';
  } catch {
    return false;
  }
}

/**
 * Returns the tag of the same search in a part of the workspace that has matches; undefined when the first rows are all
 * in one file, or when the search cannot be written as a tag.
 */
function createNarrowerSearch(
  rows: readonly GrepRow[],
  { pattern, ignored, path, isFolder }: ArgsOf<'grep'> & { readonly isFolder: boolean },
): string | undefined {
  const files = [...new Set(rows.map((row) => row.path))];
  if (files.length < 2) return undefined;
  const folder = path === undefined ? '' : `${path.replace(/\/+$/, '')}/`;
  const searched = path === undefined || isFolder ? `${folder}**` : path;
  const part = createNarrowerPattern(searched, files);
  if (part === searched) return undefined;
  return makeSearchTag({ pattern, path: part, ignored });
}

/** Finds lines that contain a text, each with an address that can be read. */
export async function searchFiles(root: WorkspaceRoot, text: string, limit: number): Promise<readonly SearchHit[]> {
  const { rows } = await root.grep({ pattern: escapePattern(text), limit, isOwn: true });
  return rows.map(({ path, line, text }) => ({ target: `${path}:${line}`, text }));
}
