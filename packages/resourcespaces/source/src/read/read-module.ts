import type { ToolOutput } from '@bae/core';
import { formatQuantity } from '@bae/workspace';
import type { Outline, SymbolKind, SymbolOutline } from '../language/outline.ts';
import {
  listFoldersBelow,
  listModulesBelow,
  type CodeFolder,
  type CodeModule,
  type SourceModule,
} from '../modules/code-module.ts';
import { addWhole, fitsOnePage, renderRowsPage, type PageRequest } from './paging.ts';
import { TextLines } from './read-lines.ts';
import { renderSymbolRow } from './read-symbol.ts';

interface ModulePage extends Pick<PageRequest, 'page' | 'context'> {
  /** The folder of the same name, if there is one. */
  readonly folder: CodeFolder | undefined;
}

/**
 * What is in a module: a line for the whole, and a row for every symbol; members too when there is room. Code gets all
 * rows.
 */
export function renderModule(source: SourceModule, { page, context, folder }: ModulePage): ToolOutput {
  const { module, outline } = source;
  const { problem } = outline;
  const head = [renderModuleLine(module, outline)];
  if (folder !== undefined)
    head.push(`also a folder (${countBelow(folder, false)}): ${context.tag(`<G:${folder.name}.**>`)}`);
  if (problem !== undefined) head.push(`syntax error in line ${problem.line}: ${problem.message}`);
  const full = listSymbolRows(source, true);
  const rows = page === 1 && fitsOnePage([...head, ...full], context) ? full : listSymbolRows(source, false);
  const text = renderRowsPage({ head, rows, page, call: `R:${module.name}`, context });
  return addWhole({ text, format: 'plain', paged: true }, page, () => [...head, ...full].join('\n'));
}

/** A module with its doc and contents: `core.tool-router -- Dispatch of calls (1 class, 5 functions)`. */
export function renderModuleLine({ name }: CodeModule, outline: Outline | undefined): string {
  if (outline === undefined) return name;
  const doc = outline.doc === '' ? '' : ` -- ${outline.doc}`;
  const kinds = countKinds(outline);
  return `${name}${doc}${kinds === '' ? '' : ` (${kinds})`}`;
}

/** A row for every symbol of a module, exported ones first. */
export function listSymbolRows(source: SourceModule, withMembers: boolean): readonly string[] {
  const lines = new TextLines(source.text);
  const { symbols, stars } = source.outline;
  const rowsOf = (some: readonly SymbolOutline[]) =>
    some.flatMap((symbol) => [
      renderSymbolRow(symbol, source, lines),
      ...(withMembers ? symbol.members.map((member) => `  ${renderSymbolRow(member, source, lines)}`) : []),
    ]);
  const imports = rowsOf(symbols.filter(({ kind }) => kind === 'imports'));
  // Names that one statement re-exports have one row.
  const exported = rowsOf(symbols.filter(({ exported }) => exported)).filter((row, at, all) => row !== all[at - 1]);
  const own = rowsOf(symbols.filter(({ exported, kind }) => !exported && kind !== 'imports'));
  const divider = own.length > 0 && exported.length > 0 ? ['not exported:'] : [];
  return [...imports, ...exported, ...stars.map((star) => `export * from ${star}`), ...divider, ...own];
}

/** How many symbols of which kind a module has: `1 class, 5 functions`; `''` when it has none. */
export function countKinds({ symbols }: Outline): string {
  const counts = new Map<SymbolKind, number>();
  for (const { kind } of symbols) if (kind !== 'imports') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => (kind === 'class' && count > 1 ? `${count} classes` : formatQuantity(count, kind)))
    .join(', ');
}

/** The modules in a folder, at any depth; with `all`, also those that only declare types. */
export function listModulesIn(folder: CodeFolder, all: boolean): readonly CodeModule[] {
  return listModulesBelow(folder).filter(({ declares }) => all || !declares);
}

/** How many folders and modules are in a folder: `9 folders, 48 modules`. */
export function countBelow(folder: CodeFolder, all: boolean): string {
  const folders = listFoldersBelow(folder).length;
  return `${folders === 0 ? '' : `${formatQuantity(folders, 'folder')}, `}${formatQuantity(listModulesIn(folder, all).length, 'module')}`;
}
