import type { ToolOutput } from '@bae/core';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeFolder, SourceModule } from '../modules/code-module.ts';
import { countKinds } from './count-kinds.ts';
import { folderCounts } from './folder-counts.ts';
import { fitsOnePage, pageRows } from './page-rows.ts';
import { pageTag, type PageRequest } from './page-tag.ts';
import { symbolRow } from './symbol-row.ts';
import { TextLines } from './text-lines.ts';

/** A line that says of a module what it is and has: `core.tool-router -- Dispatch of calls (1 class, 5 functions)`. */
export function moduleLine({ module, outline }: Pick<SourceModule, 'module' | 'outline'>): string {
  const doc = outline.doc === '' ? '' : ` -- ${outline.doc}`;
  const kinds = countKinds(outline);
  return `${module.name}${doc}${kinds === '' ? '' : ` (${kinds})`}`;
}

/** A page of a module. */
export interface ModulePage extends PageRequest {
  /** The folder that has its name, too. */
  readonly folder?: CodeFolder;
}

/**
 * What is in a module: a line for the whole, and a row for every symbol; members too when there is room. Code gets all
 * rows.
 */
export function renderModule(source: SourceModule, { page, tag, folder }: ModulePage): ToolOutput {
  const beside =
    folder === undefined ? [] : [`also a folder (${folderCounts(folder, false)}): ${tag(`<G:${folder.name}.**>`)}`];
  const head = [moduleLine(source), ...beside, ...problemOf(source)];
  const full = moduleRows(source, true);
  const rows = page === 1 && fitsOnePage({ head, rows: full }) ? full : moduleRows(source, false);
  const text = pageRows({ head, rows, page, tagOf: pageTag(`R:${source.module.name}`, { tag }) });
  const output = { text, format: 'plain', paged: true } as const;
  return page > 1 ? output : { ...output, whole: () => [...head, ...full].join('\n') };
}

/** A row for every symbol of a module, those first that others can import. */
export function moduleRows(source: SourceModule, withMembers: boolean): readonly string[] {
  const lines = new TextLines(source.text);
  const { symbols, stars } = source.outline;
  const rowsOf = (some: readonly SymbolOutline[]) =>
    some.flatMap((symbol) => [
      symbolRow(symbol, source, lines),
      ...(withMembers ? symbol.members.map((member) => `  ${symbolRow(member, source, lines)}`) : []),
    ]);
  const imports = symbols.filter(({ kind }) => kind === 'imports');
  const exported = symbols.filter(({ exported }) => exported);
  const own = symbols.filter(({ exported, kind }) => !exported && kind !== 'imports');
  const shown = [
    ...rowsOf(imports),
    ...withoutRepeats(rowsOf(exported)),
    ...stars.map((star) => `export * from ${star}`),
  ];
  return own.length === 0 ? shown : [...shown, ...(exported.length > 0 ? ['not exported:'] : []), ...rowsOf(own)];
}

/** Names that are passed on by one statement have one row. */
function withoutRepeats(rows: readonly string[]): readonly string[] {
  return rows.filter((row, index) => row !== rows[index - 1]);
}

function problemOf({ outline: { problem } }: SourceModule): readonly string[] {
  return problem === undefined ? [] : [`syntax error in line ${problem.line}: ${problem.message}`];
}
