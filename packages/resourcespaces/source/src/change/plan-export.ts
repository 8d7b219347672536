import { EditError } from '@bae/workspace';
import { isJavaScript, type Outline, type SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { SourceModule } from '../modules/code-module.ts';
import type { CodeBase } from '../modules/code-base.ts';

/** An index that is to export what a new module exports. */
export interface PlannedExport {
  readonly source: SourceModule;
  readonly text: string;
}

/** A module that is about to be written. */
export interface NewModule {
  readonly name: string;
  readonly path: string;
  readonly outline: Outline;
}

/**
 * Works out the line that an index gets, written as its other lines are.
 *
 * @throws EditError when there is no index in the folder, or nothing to export
 */
export async function planExport(
  { index, root }: CodeBase,
  catalog: CodeCatalog,
  module: NewModule,
): Promise<PlannedExport> {
  const folder = module.path.slice(0, module.path.lastIndexOf('/') + 1);
  const found = catalog.modules.find(
    ({ path }) => path.startsWith(`${folder}index.`) && !path.slice(folder.length).includes('/'),
  );
  if (found === undefined || found.path === module.path) {
    throw new EditError(`there is no index beside ${module.name} that could export it. Leave out export=true.`, [
      `<W:${module.name}>`,
    ]);
  }
  root.checkWritable(found.path);
  const source = await index.load(found);
  const names = exportedNames(module.outline, found.path);
  if (names.length === 0)
    throw new EditError(`${module.name} exports nothing by name. Leave out export=true.`, [`<W:${module.name}>`]);
  const [quote, ending] = style(source.text);
  const file = module.path.slice(folder.length);
  const specifier = `./${ending === undefined ? file : file.replace(/\.[^.]+$/, ending)}`;
  const line = `export { ${names.join(', ')} } from ${quote}${specifier}${quote};`;
  const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n';
  const gap = source.text === '' || source.text.endsWith('\n') ? '' : lineBreak;
  return { source, text: `${source.text}${gap}${line}${lineBreak}` };
}

/** Names as an index exports them. One of JavaScript has no way to pass on types, which stand in comments there. */
function exportedNames({ symbols }: Outline, index: string): readonly string[] {
  return symbols
    .filter(
      ({ exported, name }) => exported && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && name !== 'default',
    )
    .filter((symbol) => !isType(symbol) || !isJavaScript(index))
    .map((symbol) => (isType(symbol) ? `type ${symbol.name}` : symbol.name));
}

function isType({ kind }: SymbolOutline): boolean {
  return kind === 'interface' || kind === 'type';
}

/** Quotation mark and ending of the specifiers in an index; no ending when there are none to go by. */
function style(text: string): readonly [quote: string, ending: string | undefined] {
  const [, quote = "'", ending] = /from\s+(['"])\.[^'"]*?(\.[cm]?[jt]sx?)?\1/.exec(text) ?? [];
  const known = /from\s+['"]\./.test(text);
  return [quote, known ? (ending ?? '') : undefined];
}
