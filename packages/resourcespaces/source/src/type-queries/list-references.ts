import type { ToolContext, ToolOutput } from '@bae/core';
import { escapePattern, formatQuantity } from '@bae/workspace';
import { listFirst, resolveSymbol } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, getAddressName, type SymbolTarget } from '../address/target.ts';
import { isCompiled, isComponent, type SymbolOutline } from '../language/outline.ts';
import type { CodeModule, SourceModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { ArgsOf } from '../params.ts';
import { outputModuleRows, type ShownLine } from '../read/paging.ts';
import { makeMentionPatterns, makeWordPattern } from '../type-service/identifier-name.ts';
import { findReferences, type Reference } from '../type-service/find-references.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { findSymbolOffset, queryTypes } from './query-types.ts';

const MOST_OTHERS = 3;
/** Maximum number of lines that may use a symbol, and maximum length of each in characters. */
const MOST_POSSIBLE = 5;
const LONGEST = 80;

interface PageOfCall {
  readonly page: number | undefined;
  readonly context: ToolContext;
}

/**
 * Lists the lines of modules that use a symbol, without its declaration. Code gets a row for each use: as many rows as
 * there are references.
 *
 * @throws ResourceError when nothing has the address, it is not a symbol, or types cannot be queried
 */
export async function listReferences(
  base: CodeBase,
  types: TypeService,
  { request, context }: { readonly request: ArgsOf<'references'>; readonly context: ToolContext },
): Promise<ToolOutput> {
  const { signal, definition, files } = context;
  const { page } = request;
  const target = await resolveSymbol(base, { address: request.target, definition, files });
  const { source, path } = target;
  if (!isCompiled(source.module.path)) return listNamed(base, target, { page, context });
  const place = { file: types.files.fileOf(source.module.path), offset: findSymbolOffset(target) };
  const { references, possible } = await queryTypes(
    types.run((all) => findReferences(all, place), signal),
    `<Grep:${formatSymbolPath(path.slice(-1))}>`,
  );
  const catalog = await base.catalog();
  const uses = references.filter(({ isDefinition }) => !isDefinition);
  // Installed and built files are not modules.
  const moduleOf = (file: string) => catalog.moduleAt(types.files.pathOf(file));
  const groups = [...Map.groupBy(uses, ({ file }) => moduleOf(file))].flatMap(([module, rows]) =>
    module === undefined ? [] : [[module, rows] as const],
  );
  const total = groups.reduce((sum, [, uses]) => sum + uses.length, 0);
  const known = new Set([source.module.path, ...groups.map(([module]) => module.path)]);
  const components = catalog.modules.filter(({ path }) => isComponent(path) && !known.has(path));
  const remarks = [
    ...(await listOtherMentions(
      base,
      { target, known: new Set([...known, ...components.map(({ path }) => path)]) },
      signal,
    )),
    ...(await listTemplateMentions(base, target, context)),
    ...listPossibleUses(getAddressName(path.at(-1) as SymbolOutline), { possible, moduleOf }, context),
  ];
  const count = total === 0 ? 'no references' : formatQuantity(total, 'reference');
  const where = total === 0 ? 'the project' : formatQuantity(groups.length, 'module');
  const shown = groups.map(async ([module, uses]) => {
    return { module: module.name, lines: mergeByLine(uses, await base.index.load(module)) };
  });
  const output = outputModuleRows({
    head: [`${formatSymbolPath(path)} in ${source.module.name}: ${count} in ${where}`, ...remarks],
    groups: await Promise.all(shown),
    page,
    call: `references:${formatAddress(target)}`,
    context,
  });
  return { ...output, rows: total };
}

/** Returns a line with the components outside of whose scripts the name of a symbol occurs, if there are any. */
async function listTemplateMentions(base: CodeBase, { path }: SymbolTarget, { tag, signal }: ToolContext) {
  const name = getAddressName(path.at(-1) as SymbolOutline);
  const components = (await base.catalog()).modules.filter((module) => isComponent(module.path));
  const pattern = makeWordPattern(name);
  const { groups } = await base.grep(components, { pattern, limit: Number.MAX_SAFE_INTEGER, signal });
  const { code } = makeMentionPatterns(name);
  if (groups.size === 0) return [];
  const { readScripts } = await import('../language/component-outline.ts');
  const names: string[] = [];
  for (const module of groups.keys()) {
    const { text } = await base.index.load(module);
    if (code.test(readScripts(text).rest)) names.push(module.name);
  }
  if (names.length === 0) return [];
  const where = `${formatQuantity(names.length, 'component')}: ${listFirst(names, MOST_OTHERS)}`;
  return [`templates may also use it, in ${where}  ${tag(`<home.Grep:${pattern} path=**/*.{vue,svelte}>`)}`];
}

interface PossibleUses {
  readonly possible: readonly Reference[];
  readonly moduleOf: (file: string) => CodeModule | undefined;
}

/** Lists places that may name a member, since nothing in the code identifies their objects, with tags that show them. */
export function listPossibleUses(
  name: string,
  { possible, moduleOf }: PossibleUses,
  { tag }: Pick<ToolContext, 'tag'>,
): readonly string[] {
  const rows = possible.flatMap(({ file, line, text }) => {
    const module = moduleOf(file);
    return module === undefined ? [] : [{ where: `${module.name}:${line}`, text: text.slice(0, LONGEST) }];
  });
  const lines = [...new Map(rows.map((row) => [row.where, row])).values()];
  if (lines.length === 0) return [];
  const what =
    lines.length === 1 ? '1 more line may use it, on an object' : `${lines.length} more lines may use it, on objects`;
  const shown = lines.slice(0, MOST_POSSIBLE).map(({ where, text }) => `  ${where}: ${text}  ${tag(`<R:${where}>`)}`);
  const hidden = lines.length - MOST_POSSIBLE;
  const more = hidden > 0 ? [`  … ${hidden} more: ${tag(`<Grep:${String.raw`\.`}${makeWordPattern(name)}>`)}`] : [];
  return [`${what} of unknown kind:`, ...shown, ...more];
}

/** Lists the lines of modules that contain the name of a symbol, used when no types are available. */
async function listNamed(base: CodeBase, target: SymbolTarget, { page, context }: PageOfCall): Promise<ToolOutput> {
  const modules = (await base.catalog()).modules;
  const name = getAddressName(target.path.at(-1) as SymbolOutline);
  const pattern = String.raw`(^|[^\w$])${escapePattern(name)}([^\w$]|$)`;
  const limit = Number.MAX_SAFE_INTEGER;
  const { groups, matches } = await base.grep(modules, { pattern, limit, signal: context.signal });
  const found = [...groups].map(([module, rows]) => ({
    module: module.name,
    lines: rows.map(({ line, text }) => ({
      shown: `${line}: ${text.trim()}`,
      rows: [{ line, text: text.trim() }],
    })),
  }));
  const where = `${formatQuantity(matches, 'line')} of ${formatQuantity(found.length, 'module')}`;
  const head = [`${formatAddress(target)}: its name occurs in ${where}; found by text, since no types are known here`];
  const call = `references:${formatAddress(target)}`;
  return { ...outputModuleRows({ head, groups: found, page, call, context }), rows: matches };
}

/** Renders uses with the symbol in which each of them is: `348: return parse(url);  in withQuery`. */
function mergeByLine(uses: readonly Reference[], { text: code, outline }: SourceModule): readonly ShownLine[] {
  const byLine = Map.groupBy(uses, ({ line }) => line);
  return [...byLine].map(([line, [first, ...others]]) => {
    const times = others.length === 0 ? '' : ` (${others.length + 1} times)`;
    const { start, text } = first!;
    const path = findSymbolsAround(start, outline.symbols);
    // The line itself shows the symbol that begins there.
    const isBelow = path.at(-1)?.declarations.some(({ head }) => code.slice(head.start, start).includes('\n')) === true;
    const shown = `${line}: ${text}${times}${isBelow ? `  in ${formatSymbolPath(path)}` : ''}`;
    return { shown, rows: [first!, ...others].map(() => ({ line, text })) };
  });
}

/** Finds the symbol whose declaration contains an offset, after the symbols around it. */
function findSymbolsAround(offset: number, symbols: readonly SymbolOutline[]): readonly SymbolOutline[] {
  const around = symbols.find(
    ({ kind, declarations }) =>
      kind !== 'imports' && declarations.some(({ start, end }) => start <= offset && offset < end),
  );
  return around === undefined ? [] : [around, ...findSymbolsAround(offset, around.members)];
}

/**
 * Returns a line with the other modules in which the name of an exported symbol occurs, if there are any. There, the
 * compiler finds another symbol, or cannot resolve the name, for example if it comes from a package that is not
 * installed. `known` contains the paths of the modules with uses, and of the declaration.
 */
export async function listOtherMentions(
  base: CodeBase,
  { target: { path }, known }: { readonly target: SymbolTarget; readonly known: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [symbol, ...inside] = path;
  if (symbol === undefined || inside.length > 0 || !symbol.exported) return [];
  const name = symbol.localName ?? symbol.name;
  if (name === 'default') return [];
  const others = (await base.catalog()).modules.filter((module) => !known.has(module.path));
  const pattern = String.raw`(^|[^\w$])${escapePattern(name)}([^\w$]|$)`;
  const { groups } = await base.grep(others, { pattern, limit: Number.MAX_SAFE_INTEGER, signal });
  const names = [...groups.keys()].map((module) => module.name);
  if (names.length === 0) return [];
  const more = names.length > MOST_OTHERS ? `, …` : '';
  const where = `${formatQuantity(names.length, 'other module')}: ${names.slice(0, MOST_OTHERS).join(', ')}${more}`;
  return [`the name stands for something else, or cannot be resolved, in ${where}`];
}
