import type { ToolContext, ToolOutput } from '@bae/core';
import { searchArgument, type GrepResult, type GrepRow, type SentSearch } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { modulesOfTarget } from '../address/modules-of-target.ts';
import type { Target } from '../address/target.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { commonFolder } from './common-folder.ts';
import { matchRows } from './match-rows.ts';
import { renderMatches, type MatchingLine, type ModuleMatches } from './render-matches.ts';

/** Rows that are looked at to say where most of the matches are. */
const MOST_ROWS = 300;

/** What to search for, and where: the address of a package, folder or module. */
export interface GrepRequest extends SentSearch {
  /** True to search files that only declare types. */
  readonly all: boolean;
}

/**
 * The lines of modules that match a regular expression, by module, and how many there are in all. Code gets a row for
 * each of them.
 *
 * @throws ResourceError when nothing has the address; PatternError when the expression cannot be used
 */
export async function grepModules(base: CodeBase, request: GrepRequest, context: ToolContext): Promise<ToolOutput> {
  const catalog = await base.catalog();
  // Words that only look like an address are part of the pattern.
  const { pattern, path: within } = searchArgument(request, (word) => isAddress(word, catalog));
  const target = within === undefined ? undefined : await resolveAddress(base, { address: within, verb: 'grep' });
  const modules = modulesIn(target, catalog, request.all);
  const { tag, signal, fromCode } = context;
  const found = await search(base, { pattern, modules, forCode: fromCode }, signal);
  const path = target === undefined ? '' : addressIn(target);
  const narrowIn = { pattern, searched: modules.length, path, tag };
  const text = renderMatches(found, narrowIn);
  const output = { text, format: 'plain', rows: found.matches, paged: true } as const;
  return fromCode ? { ...output, whole: () => matchRows(found, narrowIn) } : output;
}

interface ModuleSearch {
  readonly pattern: string;
  readonly modules: readonly CodeModule[];
  readonly limit?: number;
  /** True to find all rows for code, too. */
  readonly forCode?: boolean;
}

/** Searches modules; rows that are found get the names of their modules. */
export async function search({ root }: CodeBase, request: ModuleSearch, signal?: AbortSignal): Promise<ModuleMatches> {
  const { pattern, modules, limit = MOST_ROWS, forCode } = request;
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const path = commonFolder([...byPath.keys()]);
  const only = (file: string) => byPath.has(file);
  const none: GrepResult = { rows: [], all: [], matches: 0, files: 0, searched: 0, withheld: 0 };
  const result =
    modules.length === 0 ? none : await root.grep({ pattern, path, only, limit, forCode, all: true, signal });
  const { rows, all, matches, files } = result;
  return {
    groups: byModule(rows, byPath),
    matches,
    modules: files,
    ...(all !== undefined && { all: byModule(all, byPath) }),
  };
}

function byModule(found: readonly GrepRow[], byPath: ReadonlyMap<string, CodeModule>): ModuleMatches['groups'] {
  const groups = new Map<CodeModule, MatchingLine[]>();
  for (const { path, ...row } of found) {
    const module = byPath.get(path);
    if (module === undefined) continue;
    const rows = groups.get(module);
    if (rows === undefined) groups.set(module, [row]);
    else rows.push(row);
  }
  return groups;
}

function isAddress(word: string, catalog: CodeCatalog): boolean {
  return (
    catalog.folder(word) !== undefined || catalog.module(word) !== undefined || catalog.moduleMeant(word) !== undefined
  );
}

function modulesIn(target: Target | undefined, catalog: CodeCatalog, all: boolean): readonly CodeModule[] {
  const modules = target === undefined ? catalog.modules : modulesOfTarget(target, catalog);
  const named = target === undefined || target.kind === 'folder' ? undefined : target.source.module;
  return modules.filter((module) => all || !module.declares || module === named);
}

function addressIn(target: Target): string {
  return target.kind === 'folder' ? target.folder.name : target.source.module.name;
}
