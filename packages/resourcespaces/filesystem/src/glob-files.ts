import { BaeError, type ToolContext, type ToolOutput } from '@bae/core';
import { findNearestPattern, formatPath, formatQuantity, nameFile, type WorkspaceRoot } from '@bae/workspace';
import type { ArgsOf } from './file-arguments.ts';

/**
 * Lists the files that match a pattern, sorted; among them links to files of the workspace. Other links are not followed
 * and only named.
 */
export async function globFiles(root: WorkspaceRoot, args: ArgsOf<'glob'>, context: ToolContext) {
  const found = await globOnce(root, args, context);
  if (found.rows !== 0 || args.pattern.includes('{') || args.pattern.length > LONGEST_LIST) return found;
  const parts = args.pattern.split(SEVERAL);
  if (parts.length === 1 || parts.length > MOST_PATTERNS) return found;
  const together = { ...args, pattern: `{${parts.join(',')}}` };
  const all = await globOnce(root, together, context);
  if (all.rows === 0) return found;
  return { ...all, text: `${all.text}\nseveral patterns are one here: ${context.tag(`<G:${together.pattern}>`)}` };
}

/** Length of the longest list of patterns that is taken for one, and number of its patterns at most. */
const LONGEST_LIST = 300;
const MOST_PATTERNS = 10;

/** What separates several patterns elsewhere. */
const SEVERAL = /\s*[,;|]\s*|\s+/;

async function globOnce(
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
  const installed = ignored ? await locateInstalledFiles(root, pattern, signal) : undefined;
  if (installed !== undefined)
    return `${none}\nnode_modules is searched only where the pattern names it: ${tag(`<G:${installed} ignored=true>`)}`;
  const folder = takeFolder(pattern);
  const folders = await findMatchingFolders(root, { pattern, ignored, signal });
  const [first] = folders;
  if (first !== undefined) {
    const more = folders.length > MOST_FOLDERS ? `, +${folders.length - MOST_FOLDERS}` : '';
    const names = folders.slice(0, MOST_FOLDERS).map((path) => `${formatPath(path)}/`);
    const all = folders.length === 1 ? formatPath(first) : pattern;
    return `${none}\nfolders that match: ${names.join(', ')}${more}  ${tag(`<G:${all}/**>`)}`;
  }
  const below = `**/${pattern}`;
  if (
    !pattern.includes('/') &&
    pattern.length <= LONGEST_LIST &&
    (await root.glob({ pattern: below, all: ignored, signal })).length > 0
  )
    return `${none}\nin folders below: ${tag(`<G:${below}>`)}`;
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

/** Returns the pattern of the files of installed packages that a pattern for any folder would match; undefined if none. */
async function locateInstalledFiles(
  root: WorkspaceRoot,
  pattern: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!pattern.startsWith('**/') || pattern.includes('node_modules')) return undefined;
  const inside = `**/node_modules/${pattern}`;
  return (await root.glob({ pattern: inside, all: true, signal })).length === 0 ? undefined : inside;
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

/** Characters with a meaning in file patterns. */
export const MAGIC = /[*?[\]{}\\]/;

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
