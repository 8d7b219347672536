import type { ToolContext, ToolOutput } from '@bae/core';
import { formatQuantity, escapePattern } from '@bae/workspace';
import { resolveSymbol } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { ArgsOf } from '../params.ts';
import { addWhole, listModuleRows, renderModuleRows } from '../read/paging.ts';
import type { Reference } from '../type-service/find-references.ts';
import { queryTypes, findSymbolOffset } from './query-types.ts';
import type { TypeService } from '../type-service/type-service.ts';

const MOST_MODULES = 3;

/**
 * The lines of modules that use a symbol, without its declaration. Code gets a row for each use, `module:12: text`, and
 * `''` when there is none: as many rows as there are references.
 *
 * @throws ResourceError when nothing has the address, it is no symbol, or types cannot be queried
 */
export async function listReferences(
  base: CodeBase,
  types: TypeService,
  { request, context }: { readonly request: ArgsOf<'references'>; readonly context: ToolContext },
): Promise<ToolOutput> {
  const { signal, definition } = context;
  const { page } = request;
  const target = await resolveSymbol(base, { address: request.target, definition });
  const { source, path } = target;
  const place = { file: types.files.fileOf(source.module.path), offset: findSymbolOffset(target) };
  const references = await queryTypes(types.references(place, signal), `<Grep:${formatSymbolPath(path.slice(-1))}>`);
  const catalog = await base.catalog();
  const uses = references.filter(({ isDefinition }) => !isDefinition);
  // Installed and built files are no modules.
  const groups = [...Map.groupBy(uses, ({ file }) => catalog.moduleOf(file))].flatMap(([module, rows]) =>
    module === undefined ? [] : [[module, rows] as const],
  );
  const total = groups.reduce((sum, [, uses]) => sum + uses.length, 0);
  const known = new Set([source.module.path, ...groups.map(([module]) => module.path)]);
  const remarks = await listOtherMentions(base, { target, known }, signal);
  const count = total === 0 ? 'no references' : formatQuantity(total, 'reference');
  const where = total === 0 ? 'the project' : formatQuantity(groups.length, 'module');
  const rowsOf = (linesOf: (uses: readonly Reference[]) => readonly string[]) =>
    groups.map(([{ name }, uses]) => ({ module: name, lines: linesOf(uses) }));
  const text = renderModuleRows({
    head: [`${formatSymbolPath(path)} in ${source.module.name}: ${count} in ${where}`, ...remarks],
    groups: rowsOf(mergeByLine),
    page,
    call: `references:${formatAddress(target)}`,
    context,
  });
  return addWhole({ text, format: 'plain', rows: total, paged: true }, page, () =>
    listModuleRows(rowsOf((uses) => uses.map(({ line, text: code }) => `${line}: ${code}`))).join('\n'),
  );
}

/** One row for each line, however many uses it has. */
function mergeByLine(uses: readonly Reference[]): readonly string[] {
  const byLine = Map.groupBy(uses, ({ line }) => line);
  return [...byLine].map(([line, [first, ...others]]) => {
    const times = others.length === 0 ? '' : ` (${others.length + 1} times)`;
    return `${line}: ${first?.text ?? ''}${times}`;
  });
}

/**
 * A line with the other modules in which the name of an exported symbol occurs, if there are any. There, the compiler
 * sees another symbol, or cannot resolve the name: of a package that is not installed, for example. `known` are the
 * paths of the modules with uses, and of the declaration.
 */
export async function listOtherMentions(
  { root, index }: CodeBase,
  { target: { path }, known }: { readonly target: SymbolTarget; readonly known: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [symbol, ...inside] = path;
  if (symbol === undefined || inside.length > 0 || !symbol.exported) return [];
  const name = symbol.localName ?? symbol.name;
  if (name === 'default') return [];
  const catalog = await index.catalog();
  const only = (file: string) => !known.has(file) && catalog.moduleAt(file) !== undefined;
  const pattern = String.raw`(^|[^\w$])${escapePattern(name)}([^\w$]|$)`;
  const { rows } = await root.grep({ pattern, only, limit: Number.MAX_SAFE_INTEGER, all: true, signal });
  const names = [...new Set(rows.map((row) => catalog.moduleAt(row.path)?.name ?? row.path))];
  if (names.length === 0) return [];
  const more = names.length > MOST_MODULES ? `, …` : '';
  const where = `${formatQuantity(names.length, 'other module')}: ${names.slice(0, MOST_MODULES).join(', ')}${more}`;
  return [`the name stands for something else, or cannot be resolved, in ${where}`];
}
