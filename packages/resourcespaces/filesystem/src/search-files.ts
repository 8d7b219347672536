import { BaeError, type SearchHit, type ToolContext, type ToolOutput } from '@bae/core';
import { formatAlike, formatFileMatches } from '@bae/core/pipeline';
import {
  createSearchArgument,
  createTooManyMatchesError,
  escapePattern,
  findNearestPattern,
  formatPath,
  SeenFiles,
  formatQuantity,
  type GrepResult,
  type GrepRow,
  nameFile,
  refuseMisspeltPattern,
  type WorkspaceRoot,
} from '@bae/workspace';
import { consentToShow, type ArgsOf } from './file-arguments.ts';

/**
 * Lists the files that match a pattern, sorted; among them links to files of the workspace. Other links are not followed
 * and only named.
 */
export async function globFiles(
  root: WorkspaceRoot,
  { pattern: given, path: folder, ignored }: ArgsOf<'glob'>,
  context: ToolContext,
) {
  const { signal, tag, answerLimit } = context;
  const pattern = folder === undefined ? given : `${folder.replace(/\/+$/, '')}/${given}`;
  nameFile(root, takeFolder(pattern), context);
  const links: string[] = [];
  const files = await root.glob({ pattern, all: ignored, signal, onLink: (link) => void links.push(link) });
  const [linked, other] = links.length === 0 ? [[], []] : await sortLinks(root, links);
  const paths = linked.length === 0 ? files : [...files, ...linked].toSorted();
  const shown = listPaths(paths, {
    answerLimit,
    none: paths.length === 0 ? await explainNoMatch(root, { pattern, ignored, signal }, tag) : '',
    narrow: tag(`<G:${createNarrowerPattern(pattern, paths)}>`),
  });
  const text = other.length === 0 ? shown.text : `${shown.text}\n${describeLinks(other)}`;
  return { ...shown, text, whole: () => [...paths] };
}

/** Divides links into those that lead to a file of the workspace, and all others. */
async function sortLinks(
  root: WorkspaceRoot,
  links: readonly string[],
): Promise<readonly [files: readonly string[], others: readonly string[]]> {
  const files: string[] = [];
  const others: string[] = [];
  for (const link of links) {
    const kind = await root.info(link).then(
      (info) => info.kind,
      () => 'nothing that can be read',
    );
    (kind === 'file' ? files : others).push(link);
  }
  return [files, others.toSorted()];
}

const MOST_LINKS = 5;

function describeLinks(links: readonly string[]): string {
  const names = links.slice(0, MOST_LINKS).map(formatPath).join(', ');
  return `[${formatQuantity(links.length, 'link')} not followed: ${names}${links.length > MOST_LINKS ? ', …' : ''}]`;
}

/** Explains why nothing matches: the files are ignored, the pattern is a folder, or a folder is misspelt. */
async function explainNoMatch(
  root: WorkspaceRoot,
  { pattern, ignored, signal }: ArgsOf<'glob'> & Pick<ToolContext, 'signal'>,
  tag: ToolContext['tag'],
): Promise<string> {
  const none = '(no matches)';
  const left = ignored ? [] : await root.glob({ pattern, all: true, signal });
  if (left.length > 0)
    return `${none}\n${formatQuantity(left.length, 'file')} ignored by .gitignore: ${tag(`<G:${pattern} ignored=true>`)}`;
  const folder = takeFolder(pattern);
  const folders = await findMatchingFolders(root, { pattern, ignored, signal });
  const [first] = folders;
  if (first !== undefined) {
    const more = folders.length > MOST_FOLDERS ? `, +${folders.length - MOST_FOLDERS}` : '';
    const names = folders.slice(0, MOST_FOLDERS).map((path) => `${formatPath(path)}/`);
    const all = folders.length === 1 ? formatPath(first) : pattern;
    return `${none}\nfolders that match: ${names.join(', ')}${more}  ${tag(`<G:${all}/**>`)}`;
  }
  const nearest = await findNearestPattern(root, pattern, signal);
  if (nearest !== undefined)
    return `${none}\nno file or folder matches ${formatPath(pattern)}. Did you mean ${tag(`<G:${formatPath(nearest)}>`)}?`;
  if (folder === '') return none;
  try {
    const { kind } = await root.info(folder);
    if (kind === 'folder')
      return folder === pattern
        ? `${none}\n${formatPath(folder)} is a folder. Try: ${tag(`<G:${formatPath(folder)}/**>`)}`
        : none;
    await root.list(folder);
  } catch (error) {
    if (BaeError.is(error)) return `${none}\n${error.message}`;
    throw error;
  }
  return none;
}

/** Returns the path that a pattern begins with, before its first wildcard. */
function takeFolder(pattern: string): string {
  const special = pattern.search(/[*?[{]/);
  // Not by one regular expression, which takes minutes for a long pattern without any of these.
  return special === -1 ? pattern : pattern.slice(0, Math.max(pattern.lastIndexOf('/', special), 0));
}

const MOST_FOLDERS = 5;

/** Finds the folders with files that a pattern matches by their own path, sorted. */
async function findMatchingFolders(
  root: WorkspaceRoot,
  { pattern, ignored, signal }: ArgsOf<'glob'> & Pick<ToolContext, 'signal'>,
): Promise<readonly string[]> {
  const last = pattern.split('/').at(-1)!;
  if (!MAGIC.test(last) || last.includes('**')) return [];
  const paths = await root.glob({ pattern: `${pattern}/**`, all: ignored, signal });
  const depth = pattern.split('/').length;
  const folders = pattern.includes('**')
    ? paths.map((path) => path.slice(0, path.lastIndexOf('/')))
    : paths.map((path) => path.split('/').slice(0, depth).join('/'));
  return [...new Set(folders)].toSorted();
}

const MAGIC = /[*?[\]{}\\]/;

/**
 * Returns a file pattern that matches fewer of the given files (at least one): the folder with most of them and their
 * most frequent extension. If all are in one folder, it uses the most frequent extension or first letter.
 */
export function createNarrowerPattern(pattern: string, paths: readonly string[]): string {
  const base = takePlainFolders(pattern);
  const prefix = base === '' ? '' : `${base}/`;
  const below = paths.map((path) => path.slice(prefix.length));
  const folder = findMostFrequent(
    below.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/'))),
  );
  if (folder !== undefined) {
    const inside = below.filter((path) => path.startsWith(`${folder}/`));
    return `${prefix}${folder}/**/*${findMostFrequent(inside.map(getExtension)) ?? ''}`;
  }
  const endings = below.map(getExtension);
  const end = findMostFrequent(endings) ?? '';
  if (endings.some((other) => other !== end)) return `${prefix}*${end}`;
  return `${prefix}${findMostFrequent(below.map((path) => Array.from(path)[0] ?? '')) ?? ''}*${end}`;
}

function takePlainFolders(pattern: string): string {
  const folders = pattern.split('/').slice(0, -1);
  const end = folders.findIndex((part) => MAGIC.test(part));
  return (end === -1 ? folders : folders.slice(0, end)).join('/');
}

/** Returns the extension (`.ts` for `a.test.ts`); an empty string for a name without a dot inside. */
function getExtension(path: string): string {
  return /[^/](\.[^./]+)$/.exec(path)?.[1] ?? '';
}

function findMostFrequent(values: readonly string[]): string | undefined {
  return [...Map.groupBy(values, (value) => value).values()].toSorted((a, b) => b.length - a.length)[0]?.[0];
}

const TOKENS_PER_PATH = 5;

/**
 * Lists as many paths as fit, then the number of the others and a way to get fewer. Code gets the complete list only.
 */
export function listPaths(
  rows: readonly string[],
  { answerLimit, none, narrow }: Readonly<{ answerLimit: number; none: string; narrow: string }>,
): ToolOutput {
  const most = Math.ceil(answerLimit / TOKENS_PER_PATH);
  const { length: total } = rows;
  const output = { format: 'plain', rows: total } as const;
  const whole = () => rows.join('\n');
  if (total === 0) return { ...output, text: none, whole };
  if (total <= most) return { ...output, text: whole() };
  const more = `... ${total - most} more (${total} total). Narrow: ${narrow}`;
  return { ...output, text: [...rows.slice(0, most), more].join('\n'), whole };
}

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
  const result = keepRange(await root.grep(query), range);
  if (result.searched === 0 && path !== undefined && MAGIC.test(path))
    await refuseMisspeltPattern(root, { pattern, path }, context);
  const output = {
    text: renderGrepResult(result, { none, answerLimit }),
    format: 'rows',
    rows: result.matches,
  } as const;
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

/** Writes a search as a tag; undefined for a pattern that would need to be quoted. */
function makeSearchTag({ pattern, path, ignored }: ArgsOf<'grep'>): string | undefined {
  if (/[<>"\p{Cc}]/u.test(pattern)) return undefined;
  const shown = path === undefined ? '' : ` path=${/\s/.test(path) ? `"${formatPath(path)}"` : formatPath(path)}`;
  const isQuoted = path === undefined && /\s/.test(pattern);
  return `<Grep:${isQuoted ? `"${pattern}"` : pattern}${shown}${ignored ? ' ignored=true' : ''}>`;
}

/** Numbers of the first and the last line that a search looks at. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Separates the lines from the path of a file, as `read` takes them: `src/a.ts:10-40`. */
async function separateLines(root: WorkspaceRoot, path: string | undefined) {
  const [, file = '', first = '', last = first] = /^(.+?):(\d+)(?:-(\d+))?$/.exec(path ?? '') ?? [];
  if (file === '' || (await root.exists(path!)) || !(await root.exists(file))) return { path };
  return { path: file, range: { first: Number(first), last: Number(last) } };
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
const COUNTS_ROOM = 220;
const COUNTS_FROM = 300;

/** Maximum number of omitted files that are named. */
const MOST_WITHHELD = 12;

function nameWithheld(paths: readonly string[]): string {
  const names = paths.slice(0, MOST_WITHHELD).map(formatPath).join(', ');
  const more = paths.length > MOST_WITHHELD ? ` +${paths.length - MOST_WITHHELD}` : '';
  const [first = ''] = paths;
  return `${names}${more}, which may hold secrets; path=${formatPath(first)} searches ${paths.length === 1 ? 'it' : 'one of them'}`;
}

function renderGrepResult(
  { rows, matches, files, searched, withheld, tooLarge = 0, ignored = 0, onlyIgnored }: GrepResult,
  { none, answerLimit }: { readonly none: string; readonly answerLimit: number },
): string {
  const note = withheld.length === 0 ? [] : [`not searched: ${nameWithheld(withheld)}`];
  if (tooLarge > 0) note.push(`not searched: ${formatQuantity(tooLarge, 'file')} over 256 MB; name it with path=`);
  if (matches === 0) {
    const left = ignored === 0 ? '' : `; ${formatQuantity(ignored, 'file')} ignored by .gitignore: ignored=true`;
    return [none, `searched ${formatQuantity(searched, 'file')}${left}`, ...note].join('\n');
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
  const { rows } = await root.grep({ pattern: escapePattern(text), limit });
  return rows.map(({ path, line, text }) => ({ target: `${path}:${line}`, text }));
}
