import type { SearchHit, ToolContext, ToolOutput } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { matchesSegments } from '@bae/project';
import {
  createSearchArgument,
  createTooManyMatchesError,
  escapePattern,
  formatPath,
  formatQuantity,
  refuseMisspeltPattern,
} from '@bae/workspace';
import { OTHER_FILES } from '../address/locate-name.ts';
import { createAddressError, resolveAddress } from '../address/resolve-address.ts';
import { getModuleAddress, listTargetModules, type Target, translatePath } from '../address/target.ts';
import type { CodeCatalog, CodeFolder, CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase, ModuleMatches } from '../modules/module-index.ts';
import type { ArgsOf } from '../params.ts';
import { fitsResult, getRoom, type PageContext } from '../read/paging.ts';
import { listModulesIn } from '../read/read-target.ts';

const MOST_GROUPS = 12;

/**
 * Lists the names of modules that match a dotted pattern, or, if there are too many, the folders that contain them.
 * Code gets all names.
 *
 * @throws ResourceError for a pattern of paths, with the corresponding dotted pattern
 */
export function globModules(
  catalog: CodeCatalog,
  { pattern, every }: ArgsOf<'glob'>,
  context: ToolContext,
): ToolOutput {
  const { tag, definition } = context;
  if (/[/\\]/.test(pattern.replaceAll(/\[[^\]]*\]/g, ''))) {
    const fact = `use module notation: '${formatPath(pattern)}' contains a path separator`;
    const expected = 'names with dots between them, * for a part of one, ** for any number';
    const isOfFiles = OTHER_FILES.test(pattern);
    const tags = [isOfFiles ? `<home.G:${formatPath(pattern)}>` : `<G:${translatePattern(pattern, catalog)}>`];
    throw createAddressError({ address: pattern, definition }, fact, { expected, tags });
  }
  const known = catalog.modules.filter(({ declares }) => every || !declares);
  const matching = matchModules(pattern, known);
  const output = { format: 'plain', rows: matching.length } as const;
  if (matching.length === 0) return { ...output, text: describeNoMatch(pattern, catalog, tag), whole: () => [] };
  const list = matching.map(({ name }) => name);
  const names = list.join('\n');
  const whole = () => list;
  if (fitsResult(names, context)) return { ...output, text: names, whole };
  const next = narrowGlob(pattern, matching, known);
  const narrow = next === undefined ? '' : `  Narrow: ${tag(`<G:${next}>`)}`;
  const groups = groupModules(matching, takeLiteralPrefix(pattern).length);
  const counts = groups.slice(0, MOST_GROUPS).map(({ name, modules }) => {
    // A module whose name ends at the first wildcard has no further name.
    const label = name === '' ? (modules[0] as CodeModule).name : name;
    return modules.length === 1 ? label : `${label} (${modules.length})`;
  });
  const more = groups.length > MOST_GROUPS ? `, and ${groups.length - MOST_GROUPS} more` : '';
  const total = formatQuantity(matching.length, 'module');
  return { ...output, text: `${pattern} ${total}: ${counts.join(', ')}${more}${narrow}`, whole };
}

/** Describes the innermost folder that a pattern names: its number of modules, and the tag that lists them. */
function describeNoMatch(pattern: string, catalog: CodeCatalog, tag: ToolContext['tag']): string {
  if (OTHER_FILES.test(pattern)) return `(no modules match)\nFiles: <home.G:${pattern}>`;
  const prefix = [...takeLiteralPrefix(pattern)];
  while (prefix.length > 0 && catalog.folder(prefix.join('.')) === undefined) prefix.pop();
  const name = prefix.join('.');
  const where = name === '' ? 'the project' : name;
  const modules = listModulesIn(catalog.folder(name) as CodeFolder, true);
  if (modules.length === 0) return `(no matches)\n${where} has no modules.`;
  const all = modules.every(({ declares }) => declares) ? ' every=true' : '';
  const call = `<G:${name === '' ? '' : `${name}.`}**${all}>`;
  return `(no matches)\n${where} has ${formatQuantity(modules.length, 'module')}. Try: ${tag(call)}`;
}

/**
 * Translates `packages/core/src/**.ts` to `core.**`: the folder without wildcards becomes an address, the rest gets
 * dots.
 */
function translatePattern(pattern: string, catalog: CodeCatalog): string {
  const ending = new RegExp(String.raw`\.(?:\{[^}]*\}|\[[^\]]*\][a-z]*|${catalog.languages.endings.join('|')}|\*)$`);
  const parts = pattern
    .replaceAll('\\', '/')
    .replace(ending, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const wild = parts.findIndex((part) => /[*?{[]/.test(part));
  const literal = parts.slice(0, wild === -1 ? parts.length : wild);
  const folder = literal.length === 0 ? '' : (translatePath(literal.join('/'), catalog) ?? literal.join('.'));
  const rest = wild === -1 ? [] : parts.slice(wild);
  const names = rest.filter((part, index) => part !== '*' || rest[index - 1] !== '**');
  return [folder, ...names].filter((part) => part !== '').join('.') || '**';
}

/** Returns the modules that match a dotted pattern, sorted. */
export function matchModules(pattern: string, modules: readonly CodeModule[]): readonly CodeModule[] {
  const parts = pattern.split('.');
  return modules.filter(({ name, folder }) => {
    if (matchesSegments(parts, name.split('.'))) return true;
    // A file name that contains dots is still one name.
    const own = name === folder ? '' : name.slice(folder === '' ? 0 : folder.length + 1);
    return own.includes('.') && matchesSegments(parts, [...(folder === '' ? [] : folder.split('.')), own]);
  });
}

function takeLiteralPrefix(pattern: string): readonly string[] {
  const parts = pattern.split('.');
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  return wild === -1 ? parts : parts.slice(0, wild);
}

/** Groups modules by the name at a depth, `''` if they have none; the largest group comes first. */
function groupModules(modules: readonly CodeModule[], depth: number) {
  return [...Map.groupBy(modules, ({ name }) => name.split('.')[depth] ?? '')]
    .map(([name, modules]) => ({ name, modules }))
    .toSorted((a, b) => b.modules.length - a.modules.length || (a.name < b.name ? -1 : 1));
}

/**
 * Returns a pattern that matches some but not all of the matching modules, and no others; undefined if there is none.
 */
export function narrowGlob(
  pattern: string,
  matching: readonly CodeModule[],
  all: readonly CodeModule[],
): string | undefined {
  const known = new Set(matching);
  for (const candidate of listNarrowerGlobs(pattern, matching)) {
    const fewer = matchModules(candidate, all);
    if (fewer.length > 0 && fewer.length < matching.length && fewer.every((module) => known.has(module)))
      return candidate;
  }
  return undefined;
}

/** Lists narrower patterns: deeper folders first, then the beginnings of names. */
function* listNarrowerGlobs(pattern: string, matching: readonly CodeModule[]): Generator<string> {
  let prefix = takeLiteralPrefix(pattern);
  const rest = pattern.split('.').slice(prefix.length);
  let inside = matching;
  for (;;) {
    const groups = groupModules(inside, prefix.length).filter(({ name }) => name !== '');
    for (const { name } of groups) yield [...prefix, name, ...rest].join('.');
    const [only] = groups;
    if (groups.length !== 1 || only === undefined) break;
    prefix = prefix.concat(only.name);
    inside = only.modules;
  }
  const names = inside.map(({ name }) => name.split('.')[prefix.length] ?? '').filter((name) => name !== '');
  for (const start of listBeginnings(names)) yield [...prefix, `${start}*`].join('.');
}

/** Lists the common beginning of names with one more character of each name, the most frequent first. */
function listBeginnings(names: readonly string[]): readonly string[] {
  const [first = ''] = names;
  let common = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, common))) common--;
  const starts = Map.groupBy(names, (name) => first.slice(0, common) + (Array.from(name.slice(common))[0] ?? ''));
  return [...starts].toSorted((a, b) => b[1].length - a[1].length).map(([start]) => start);
}

/** Maximum number of rows that are inspected to find the part with the most matches. */
const MOST_ROWS = 300;
/** Minimum number of tokens that a matching line takes. */
const TOKENS_PER_ROW = 10;
const FOOTER = 240;

/**
 * Lists the lines of modules that match a regular expression, by module, and their number. Code gets a row for each
 * line.
 *
 * @throws ResourceError when nothing has the address; PatternError when the expression cannot be used
 */
export async function grepModules(base: CodeBase, args: ArgsOf<'grep'>, context: ToolContext): Promise<ToolOutput> {
  const { signal, fromCode, definition, files } = context;
  const catalog = await base.catalog();
  // A last word that is not an address of the project belongs to the pattern.
  const isAddress = (word: string) => (catalog.folder(word) ?? catalog.findModule(word)) !== undefined;
  const { pattern, path, none } = createSearchArgument({ argument: args.pattern, path: args.path }, isAddress);
  const isWild = path !== undefined && /[*?{]/.test(path) && /[/\\]/.test(path);
  const target =
    path === undefined || isWild ? undefined : await resolveAddress(base, { address: path, definition, files });
  const selected = selectModules(target, catalog, args.every);
  const modules = isWild ? await selectByPath(base, path, selected) : selected;
  if (isWild && modules.length === 0) await refuseMisspeltPattern(base.root, { pattern, path }, context);
  const result = await base.grep(modules, { pattern, isOwn: false, limit: MOST_ROWS, forCode: fromCode, signal });
  const scope = { pattern, path: target === undefined ? '' : getModuleAddress(target), context };
  const text =
    result.matches === 0
      ? `${none}\nsearched ${formatQuantity(modules.length, 'module')}${modules.length === 0 ? `; files are searched at home: <home.Grep:${pattern}>` : ''}`
      : renderModuleMatches(result, scope);
  const output = { text, format: 'plain', rows: result.matches, paged: true } as const;
  return fromCode ? { ...output, whole: () => listMatches(result, scope, catalog) } : output;
}

/** Finds lines of modules that contain a text, each with an address that can be read. */
export async function searchModules(base: CodeBase, text: string, limit: number): Promise<readonly SearchHit[]> {
  const modules = (await base.catalog()).modules.filter(({ declares }) => !declares);
  const { groups } = await base.grep(modules, { pattern: escapePattern(text), limit });
  return [...groups].flatMap(([{ name }, rows]) => rows.map(({ line, text }) => ({ target: `${name}:${line}`, text })));
}

/** Selects the modules whose files a pattern of paths matches, or that are below a folder that it matches. */
async function selectByPath({ root }: CodeBase, pattern: string, modules: readonly CodeModule[]) {
  const found = await Promise.all([pattern, `${pattern}/**`].map((one) => root.glob({ pattern: one })));
  const paths = new Set(found.flat());
  return modules.filter(({ path }) => paths.has(path));
}

function selectModules(target: Target | undefined, catalog: CodeCatalog, all: boolean): readonly CodeModule[] {
  const modules = target === undefined ? catalog.modules : listTargetModules(target, catalog);
  const named = target === undefined || target.kind === 'folder' ? undefined : target.source.module;
  return modules.filter((module) => all || !module.declares || module === named);
}

interface SearchScope {
  readonly pattern: string;
  /** Address of the searched part, `''` for the project. */
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

/** Lists a row for each matching line; throws a ResourceError when there are more than code can get at once. */
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

/** Selects as many rows as fit: first one of every module, then the second of every module, and so on. */
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

/** Finds a part of the searched scope that has fewer of the matches; undefined when only a longer pattern helps. */
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

/** Returns the folder of the searched scope that contains a module, or the module itself if it is in none. */
function partWith({ name, folder, package: { label } }: CodeModule, path: string): string {
  if (path === '' && folder !== '') {
    const isLabelled = label !== '' && (folder === label || folder.startsWith(`${label}.`));
    return isLabelled ? label : (folder.split('.')[0] as string);
  }
  if (!folder.startsWith(`${path}.`)) return name;
  return `${path}.${folder.slice(path.length + 1).split('.')[0]}`;
}
