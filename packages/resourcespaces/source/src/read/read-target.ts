import { LineRangeError, type LineRange, type ToolContext, type ToolOutput } from '@bae/core';
import { SeenFiles } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { addressOf, type SymbolTarget, type Target } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { type CodeCatalog, folderBeside } from '../modules/code-catalog.ts';
import type { CodeFolder, SourceModule } from '../modules/code-module.ts';
import type { ModuleIndex } from '../modules/module-index.ts';
import { folderDocs } from './folder-docs.ts';
import { renderFolder } from './read-folder.ts';
import { renderLines, textOfLines, type LinesRequest } from './read-lines.ts';
import { renderModule } from './read-module.ts';
import { renderSymbol } from './read-symbol.ts';
import { isOutlined, symbolLines, symbolText } from './symbol-text.ts';
import { TextLines } from './text-lines.ts';

/** What to read. */
export interface ReadRequest {
  readonly target: string;
  readonly range?: LineRange | undefined;
  /** 1-based, of a list that is too long for one answer. */
  readonly page: number;
  /** True to show files that only declare types. */
  readonly all: boolean;
}

/**
 * Shows the project, a package or folder, what is in a module, the source of a symbol, or lines of these. The
 * session remembers which file it was shown; what only lists its symbols does not hide that it has changed.
 *
 * Code gets the text of a symbol or of lines exactly as it is in the file, and of anything else all rows.
 *
 * @throws ResourceError when nothing has the address; LineRangeError when the lines are not there
 */
export async function readTarget(base: CodeBase, request: ReadRequest, context: ToolContext): Promise<ToolOutput> {
  const target = await resolveAddress(base, { address: request.target, verb: 'read', range: request.range });
  const source = await sourceOf(target, base.index);
  const isText = request.range !== undefined || showsText(target);
  const seen = new SeenFiles(context);
  if (source !== undefined) seen[isText ? 'shown' : 'outlined'](source.module.path, source);
  const { tag } = context;
  if (request.range !== undefined) {
    const lines = linesOf(target, source, { range: request.range, tag });
    return { text: renderLines(lines), format: 'code', paged: true, whole: () => textOfLines(lines) };
  }
  switch (target.kind) {
    case 'folder':
      return folderRows(base, { folder: target.folder, source, request }, context);
    case 'module':
      return moduleRows(target.source, request.page, { catalog: await base.catalog(), tag });
    default:
      return symbolAnswer(target, { page: request.page, context, seen });
  }
}

interface SymbolPage {
  readonly page: number;
  readonly context: ToolContext;
  readonly seen: SeenFiles;
}

function symbolAnswer(target: SymbolTarget, { page, context, seen }: SymbolPage): ToolOutput {
  const { source } = target;
  const text = renderSymbol(target, { page, tag: context.tag });
  const output = { text, format: 'code', paged: true } as const;
  // Who asks for a further page gets it, code too.
  if (page > 1) return output;
  const whole = () => {
    // A tag may be answered with an outline; code has the text.
    seen.shown(source.module.path, source);
    return symbolText(source.text, target.path.at(-1) as SymbolOutline);
  };
  return { ...output, whole };
}

/** False when only what is in it is listed, which says nothing of a change of its text. */
function showsText(target: Target): boolean {
  if (target.kind === 'folder') return false;
  const { text } = target.source;
  return target.kind === 'module' ? text === '' : !isOutlined(text, target.path.at(-1) as SymbolOutline);
}

async function sourceOf(target: Target, index: ModuleIndex): Promise<SourceModule | undefined> {
  if (target.kind !== 'folder') return target.source;
  return target.folder.index === undefined ? undefined : index.load(target.folder.index);
}

function linesOf(
  target: Target,
  source: SourceModule | undefined,
  asked: { readonly range: LineRange; readonly tag: ToolContext['tag'] },
): LinesRequest {
  if (source === undefined) {
    const name = target.kind === 'folder' ? target.folder.name : '';
    throw new LineRangeError(`${name === '' ? 'the project' : name} has no lines: it has no index.`, [`<R:${name}>`]);
  }
  const lines = new TextLines(source.text);
  const isSymbol = target.kind === 'symbol';
  const within = isSymbol ? symbolLines(target.path.at(-1) as SymbolOutline, lines) : ([1, source.lines] as const);
  return { ...asked, lines, within, address: isSymbol ? addressOf(target) : source.module.name };
}

function moduleRows(
  source: SourceModule,
  page: number,
  { catalog, tag }: { readonly catalog: CodeCatalog; readonly tag: ToolContext['tag'] },
): ToolOutput {
  const folder = folderBeside(source.module, catalog);
  return renderModule(source, { page, tag, ...(folder !== undefined && { folder }) });
}

interface FolderPage {
  readonly folder: CodeFolder;
  readonly source: SourceModule | undefined;
  readonly request: ReadRequest;
}

async function folderRows(
  { root, index }: CodeBase,
  { folder, source, request }: FolderPage,
  { signal, tag }: ToolContext,
): Promise<ToolOutput> {
  const { page, all } = request;
  const docs = await folderDocs([folder, ...folder.folders], { root, index, signal });
  const outlines = await index.outlines(folder.modules, signal);
  return renderFolder({ folder, docs, outlines, page, all, tag, ...(source !== undefined && { index: source }) });
}
