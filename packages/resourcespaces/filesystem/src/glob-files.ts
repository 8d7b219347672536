import { BaeError, type ToolContext, type ToolOutput } from '@bae/core';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';

/** Lists the files that match a pattern, sorted. */
export async function globFiles(
  root: WorkspaceRoot,
  { pattern, all }: { readonly pattern: string; readonly all: boolean },
  { signal, tag, answerLimit }: ToolContext,
): Promise<ToolOutput> {
  const paths = await root.glob({ pattern, all, signal });
  return listPaths(paths, {
    answerLimit,
    none: paths.length === 0 ? await explainNoMatch(root, pattern, tag) : '',
    narrow: tag(`<G:${createNarrowerPattern(pattern, paths)}>`),
  });
}

/** A folder, or a folder that is misspelt, is what most often finds nothing. */
async function explainNoMatch(root: WorkspaceRoot, pattern: string, tag: ToolContext['tag']): Promise<string> {
  const none = '(no matches)';
  const folder = pattern.replace(/\/?[^/]*[*?[{].*$/s, '');
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

const MAGIC = /[*?[\]{}\\]/;

/**
 * A file pattern that names fewer of the files found: the folder with the most of them and their commonest
 * ending; where all lie in one folder, the commonest ending or first letter.
 *
 * @param paths files that the pattern found, at least one
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

/** The leading folders of a pattern that have nothing to expand. */
function takePlainFolders(pattern: string): string {
  const folders = pattern.split('/').slice(0, -1);
  const end = folders.findIndex((part) => MAGIC.test(part));
  return (end === -1 ? folders : folders.slice(0, end)).join('/');
}

/** `.ts` of `a.test.ts`, nothing for a name without a dot inside. */
function getExtension(path: string): string {
  return /[^/](\.[^./]+)$/.exec(path)?.[1] ?? '';
}

function findMostFrequent(values: readonly string[]): string | undefined {
  return [...Map.groupBy(values, (value) => value).values()].toSorted((a, b) => b.length - a.length)[0]?.[0];
}

interface ListLimits extends Pick<ToolContext, 'answerLimit'> {
  readonly none: string;
  readonly narrow: string;
}

const TOKENS_PER_PATH = 5;

/** As many paths as fit, then how many more there are and how to get fewer. Code gets all of them and nothing else. */
export function listPaths(rows: readonly string[], { answerLimit, none, narrow }: ListLimits): ToolOutput {
  const most = Math.ceil(answerLimit / TOKENS_PER_PATH);
  const { length: total } = rows;
  const output = { format: 'plain', rows: total } as const;
  const whole = () => rows.join('\n');
  if (total === 0) return { ...output, text: none, whole };
  if (total <= most) return { ...output, text: whole() };
  const more = `... ${total - most} more (${total} total). Narrow: ${narrow}`;
  return { ...output, text: [...rows.slice(0, most), more].join('\n'), whole };
}
