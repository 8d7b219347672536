import type { ToolContext, ToolOutput } from '@bae/core';
import { splitGrep } from '@bae/core/pipeline';
import type { GrepResult } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { modulesOfTarget } from '../address/modules-of-target.ts';
import type { Target } from '../address/target.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { commonFolder } from './common-folder.ts';
import { matchRows } from './match-rows.ts';
import { renderMatches, type ModuleMatches } from './render-matches.ts';

/** Rows that are looked at to say where most of the matches are. */
const MOST_ROWS = 300;

/** What to search for, and where. */
export interface GrepRequest {
  /** The pattern, or pattern and address as in `TODO core.agent`. */
  readonly argument: string;
  /** Address of a package, folder or module, when it is given apart. */
  readonly path: string | undefined;
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
  const { pattern, path: within } = split(request, catalog);
  const target = within === undefined ? undefined : await resolveAddress(base, { address: within, verb: 'grep' });
  const modules = modulesIn(target, catalog, request.all);
  const { tag, signal } = context;
  const found = await search(base, { pattern, modules }, signal);
  const path = target === undefined ? '' : addressIn(target);
  const narrowIn = { pattern, searched: modules.length, path, tag };
  const all = () => search(base, { pattern, modules, limit: found.matches, long: true }, signal);
  return {
    text: renderMatches(found, narrowIn),
    format: 'plain',
    rows: found.matches,
    paged: true,
    whole: () => matchRows(found, narrowIn, all),
  };
}

interface ModuleSearch {
  readonly pattern: string;
  readonly modules: readonly CodeModule[];
  readonly limit?: number;
  /** True for long rows. */
  readonly long?: boolean;
}

/** Searches modules; rows that are found get the names of their modules. */
export async function search({ root }: CodeBase, request: ModuleSearch, signal?: AbortSignal): Promise<ModuleMatches> {
  const { pattern, modules, limit = MOST_ROWS, long } = request;
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const path = commonFolder([...byPath.keys()]);
  const only = (file: string) => byPath.has(file);
  const none: GrepResult = { rows: [], matches: 0, files: 0, searched: 0, withheld: 0 };
  const result = modules.length === 0 ? none : await root.grep({ pattern, path, only, limit, long, all: true, signal });
  const groups = new Map<CodeModule, { line: number; text: string }[]>();
  for (const { path, line, text } of result.rows) {
    const module = byPath.get(path);
    if (module === undefined) continue;
    const rows = groups.get(module) ?? [];
    rows.push({ line, text });
    groups.set(module, rows);
  }
  return { groups, matches: result.matches, modules: result.files };
}

function split({ argument, path }: GrepRequest, catalog: CodeCatalog) {
  // Words that only look like an address are part of the pattern.
  const found = splitGrep(argument, (word) => isAddress(word, catalog));
  if (path === undefined) return { pattern: asSent(found.pattern, argument), path: found.path ?? undefined };
  const bare = splitGrep(argument, () => false);
  return { pattern: bare.path === null ? asSent(bare.pattern, argument) : argument, path };
}

/** Blanks around a pattern that is all of the argument belong to it: no tag has any. */
function asSent(pattern: string, argument: string): string {
  return pattern === argument.trim() ? argument : pattern;
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
