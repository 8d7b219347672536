import type { SearchHit, ToolContext, ToolOutput } from '@bae/core';
import { escapePattern, createSearchArgument, type GrepResult } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { listTargetModules, moduleAddress, type Target } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import type { ArgsOf } from '../params.ts';
import { listMatches, renderMatches, type ModuleMatches } from './render-matches.ts';

/** Rows that are searched to find where most of the matches are. */
const MOST_ROWS = 300;

/**
 * The lines of modules that match a regular expression, by module, and how many there are in all. Code gets a row for
 * each of them.
 *
 * @throws ResourceError when nothing has the address; PatternError when the expression cannot be used
 */
export async function grepModules(base: CodeBase, args: ArgsOf<'grep'>, context: ToolContext): Promise<ToolOutput> {
  const catalog = await base.catalog();
  // A last word that is no address of the project belongs to the pattern.
  const { pattern, path } = createSearchArgument({ argument: args.pattern, path: args.path }, (word) =>
    isAddress(word, catalog),
  );
  const target = path === undefined ? undefined : await resolveAddress(base, { address: path, verb: 'grep' });
  const modules = searchedModules(target, catalog, args.all);
  const { tag, signal, fromCode } = context;
  const matches = await search(base, { pattern, modules, forCode: fromCode }, signal);
  const searched = { pattern, searched: modules.length, path: target === undefined ? '' : moduleAddress(target), tag };
  const text = renderMatches(matches, searched);
  const output = { text, format: 'plain', rows: matches.matches, paged: true } as const;
  return fromCode ? { ...output, whole: () => listMatches(matches, searched) } : output;
}

/** Lines of modules that have a text in them, each under an address that can be read. */
export async function searchModules(base: CodeBase, text: string, limit: number): Promise<readonly SearchHit[]> {
  const modules = (await base.catalog()).modules.filter(({ declares }) => !declares);
  const { groups } = await search(base, { pattern: escapePattern(text), modules, limit });
  return [...groups].flatMap(([{ name }, rows]) => rows.map(({ line, text }) => ({ target: `${name}:${line}`, text })));
}

interface ModuleSearch {
  readonly pattern: string;
  readonly modules: readonly CodeModule[];
  readonly limit?: number;
  /** True to find all rows for code, too. */
  readonly forCode?: boolean;
}

async function search(
  { root }: CodeBase,
  { pattern, modules, limit = MOST_ROWS, forCode }: ModuleSearch,
  signal?: AbortSignal,
): Promise<ModuleMatches> {
  if (modules.length === 0) return { groups: new Map(), matches: 0, modules: 0 };
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const path = commonFolder([...byPath.keys()]);
  const only = (file: string) => byPath.has(file);
  const { rows, all, matches, files } = await root.grep({ pattern, path, only, limit, forCode, all: true, signal });
  const group = (some: GrepResult['rows']) => Map.groupBy(some, ({ path }) => byPath.get(path) as CodeModule);
  return { groups: group(rows), matches, modules: files, ...(all !== undefined && { all: group(all) }) };
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

function isAddress(word: string, catalog: CodeCatalog): boolean {
  return (
    catalog.folder(word) !== undefined || catalog.module(word) !== undefined || catalog.moduleMeant(word) !== undefined
  );
}

function searchedModules(target: Target | undefined, catalog: CodeCatalog, all: boolean): readonly CodeModule[] {
  const modules = target === undefined ? catalog.modules : listTargetModules(target, catalog);
  const named = target === undefined || target.kind === 'folder' ? undefined : target.source.module;
  return modules.filter((module) => all || !module.declares || module === named);
}
