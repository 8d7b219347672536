import { EditError } from '@bae/workspace';
import { isJavaScript, type Outline, type SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';

interface NewModule {
  readonly name: string;
  readonly path: string;
  readonly outline: Outline;
}

/**
 * Plans the line that exports a new module from the index of its folder, in the style of the other lines.
 *
 * @throws EditError when there is no index in the folder, or nothing to export
 */
export async function planExport({ index }: CodeBase, catalog: CodeCatalog, module: NewModule) {
  const folder = module.path.slice(0, module.path.lastIndexOf('/') + 1);
  const found = catalog.modules.find(
    ({ path }) => path.startsWith(`${folder}index.`) && !path.slice(folder.length).includes('/'),
  );
  if (found === undefined || found.path === module.path) {
    throw new EditError(`there is no index beside ${module.name} that could export it. Leave out export=true.`, [
      `<W:${module.name}>`,
    ]);
  }
  const source = await index.load(found);
  const names = listSpecifiers(module.outline, found.path);
  if (names.length === 0)
    throw new EditError(`${module.name} exports nothing by name. Leave out export=true.`, [`<W:${module.name}>`]);
  const [quote, ending] = detectStyle(source.text);
  const beside = module.path.slice(folder.length);
  const specifier = `./${ending === undefined ? beside : beside.replace(/\.[^.]+$/, ending)}`;
  const line = `export { ${names.join(', ')} } from ${quote}${specifier}${quote};`;
  const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n';
  const gap = source.text === '' || source.text.endsWith('\n') ? '' : lineBreak;
  const text = `${source.text}${gap}${line}${lineBreak}`;
  const file = {
    path: found.path,
    before: source.text,
    text,
    expected: source.hash,
    action: 'edit',
    lines: [0, 1],
  } as const;
  return { file, done: `Exported it from ${found.name}: ${line}` };
}

/** The specifiers that an index exports. An index in JavaScript cannot re-export types, which are comments there. */
function listSpecifiers({ symbols }: Outline, index: string): readonly string[] {
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

/** Quotation mark and ending of the specifiers in an index; no ending when it has no specifiers. */
function detectStyle(text: string): readonly [quote: string, ending: string | undefined] {
  const found = /from\s+(['"])\.[^'"]*?(\.[cm]?[jt]sx?)?\1/.exec(text);
  return [found?.[1] ?? "'", found === null ? undefined : (found[2] ?? '')];
}
