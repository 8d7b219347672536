import type { SearchHit, ToolContext, ToolOutput } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import {
  createSearchArgument,
  createTooManyMatchesError,
  escapePattern,
  formatQuantity,
  type GrepResult,
  type GrepRow,
  type WorkspaceRoot,
} from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { listTargetModules, getModuleAddress, type Target } from '../address/target.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import { getRoom, type PageContext } from '../read/paging.ts';

/** Rows that are looked at to find where most of the matches are. */
const MOST_ROWS = 300;
/** Tokens of the limit that one matching line takes at least. */
const TOKENS_PER_ROW = 10;
const FOOTER = 240;

/**
 * The lines of modules that match a regular expression, by module, and their number. Code gets a row for each line.
 *
 * @throws ResourceError when nothing has the address; PatternError when the expression cannot be used
 */
export async function grepModules(base: CodeBase, args: ArgsOf<'grep'>, context: ToolContext): Promise<ToolOutput> {
  const { signal, fromCode, definition } = context;
  const catalog = await base.catalog();
  // A last word that is no address of the project belongs to the pattern.
  const isAddress = (word: string) => (catalog.folder(word) ?? catalog.findModule(word)) !== undefined;
  const { pattern, path, none } = createSearchArgument({ argument: args.pattern, path: args.path }, isAddress);
  const target = path === undefined ? undefined : await resolveAddress(base, { address: path, definition });
  const modules = selectModules(target, catalog, args.every);
  const result = await searchIn(base, modules, { pattern, forCode: fromCode, signal });
  const scope = { pattern, path: target === undefined ? '' : getModuleAddress(target), context };
  const text =
    result.matches === 0
      ? `${none}\nsearched ${formatQuantity(modules.length, 'module')}${modules.length === 0 ? `; files are searched at home: <home.Grep:${pattern}>` : ''}`
      : renderModuleMatches(result, scope);
  const output = { text, format: 'plain', rows: result.matches, paged: true } as const;
  return fromCode ? { ...output, whole: () => listMatches(result, scope, catalog) } : output;
}

/** Lines of modules that have a text in them, each under an address that can be read. */
export async function searchModules(base: CodeBase, text: string, limit: number): Promise<readonly SearchHit[]> {
  const modules = (await base.catalog()).modules.filter(({ declares }) => !declares);
  const { groups } = await searchIn(base, modules, { pattern: escapePattern(text), limit });
  return [...groups].flatMap(([{ name }, rows]) => rows.map(({ line, text }) => ({ target: `${name}:${line}`, text })));
}

/** What a search finds, and its first lines by module. */
interface ModuleMatches extends Pick<GrepResult, 'all' | 'matches' | 'files'> {
  readonly groups: ReadonlyMap<CodeModule, readonly GrepRow[]>;
}

async function searchIn(
  { root }: CodeBase,
  modules: readonly CodeModule[],
  query: Parameters<WorkspaceRoot['grep']>[0],
): Promise<ModuleMatches> {
  if (modules.length === 0) return { groups: new Map(), all: [], matches: 0, files: [] };
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const path = commonFolder([...byPath.keys()]);
  const only = (file: string) => byPath.has(file);
  const result = await root.grep({ limit: MOST_ROWS, ...query, path, only, all: true });
  return { ...result, groups: Map.groupBy(result.rows, ({ path }) => byPath.get(path) as CodeModule) };
}

/** The deepest folder that contains all files, or the file itself if it is the only one; `.` for the root. */
function commonFolder([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  let common = first.split('/').slice(0, -1);
  for (const path of others) {
    const parts = path.split('/').slice(0, -1);
    const end = common.findIndex((part, index) => part !== parts[index]);
    if (end !== -1) common = common.slice(0, end);
  }
  return common.length === 0 ? '.' : common.join('/');
}

function selectModules(target: Target | undefined, catalog: CodeCatalog, all: boolean): readonly CodeModule[] {
  const modules = target === undefined ? catalog.modules : listTargetModules(target, catalog);
  const named = target === undefined || target.kind === 'folder' ? undefined : target.source.module;
  return modules.filter((module) => all || !module.declares || module === named);
}

interface SearchScope {
  readonly pattern: string;
  /** Address of what was searched, `''` for the project. */
  readonly path: string;
  readonly context: PageContext;
}

function renderModuleMatches(result: ModuleMatches, { pattern, path, context }: SearchScope): string {
  const { groups, matches, files } = result;
  const { lines, count } = selectMatches(groups, context);
  if (count === matches) return lines.join('\n');
  const total = `${count} of ${matches} matches in ${formatQuantity(files.length, 'module')}`;
  const part = findNarrower(result, path);
  const narrower = part === undefined ? '' : `: ${context.tag(`<Grep:${pattern} path=${part}>`)}`;
  const how = part === undefined ? 'a longer pattern' : `path=${part} or a longer pattern`;
  return [...lines, `${total}; narrow with ${how}${narrower}`].join('\n');
}

/** A row for each matching line; a ResourceError when there are more than code can get at once. */
function listMatches(result: ModuleMatches, { pattern, path }: SearchScope, catalog: CodeCatalog) {
  const { all, groups, matches, files } = result;
  if (all === undefined) {
    const part = findNarrower(result, path);
    const narrower = part && `<Grep:${pattern} path=${part}>`;
    const place = `<R:${firstModule(groups) ?? path}>`;
    throw createTooManyMatchesError({ matches, within: formatQuantity(files.length, 'module'), narrower, place });
  }
  return all.map(({ path, line, text, long = text }) => ({ path: catalog.moduleAt(path)?.name, line, text: long }));
}

/** The rows that there is room for: one of every module first, then the second of every module, and so on. */
function selectMatches(groups: ModuleMatches['groups'], context: PageContext) {
  const most = Math.ceil(context.answerLimit / TOKENS_PER_ROW);
  const blocks = new Map<CodeModule, string[]>();
  const finish = () => ({ lines: [...blocks.values()].flat(), count });
  let [count, left] = [0, getRoom(context) - FOOTER];
  for (let round = 0, open = [...groups]; open.length > 0; round++) {
    for (const [module, rows] of open) {
      const { line, text } = rows[round]!;
      const added = [...(round === 0 ? [module.name] : []), `  ${line}: ${text}`];
      const size = countUnits(added.join('\n')) + 1;
      if (count === most || (size > left && count > 0)) return finish();
      blocks.set(module, [...(blocks.get(module) ?? []), ...added]);
      left -= size;
      count++;
    }
    open = open.filter(([, rows]) => rows.length > round + 1);
  }
  return finish();
}

/** A part of what was searched that has fewer of the matches; undefined when only a longer pattern helps. */
function findNarrower({ groups, files }: ModuleMatches, path: string): string | undefined {
  if (files.length < 2) return undefined;
  const counts = new Map<string, number>();
  for (const [module, rows] of groups) {
    const part = partWith(module, path);
    counts.set(part, (counts.get(part) ?? 0) + rows.length);
  }
  const best = [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
  const isSmaller = best !== undefined && best !== path && counts.size > 1;
  const target = isSmaller ? best : firstModule(groups);
  return target === path ? undefined : target;
}

function firstModule(groups: ModuleMatches['groups']): string | undefined {
  const [first] = groups.keys();
  return first?.name;
}

/** The folder in what was searched that a module is in, or the module itself if it is in none. */
function partWith({ name, folder, package: { label } }: CodeModule, path: string): string {
  if (path === '' && folder !== '') {
    const isLabelled = label !== '' && (folder === label || folder.startsWith(`${label}.`));
    return isLabelled ? label : (folder.split('.')[0] as string);
  }
  if (!folder.startsWith(`${path}.`)) return name;
  return `${path}.${folder.slice(path.length + 1).split('.')[0]}`;
}
