import { LineRangeError, type LineRange, type ToolContext, type ToolOutput } from '@bae/core';
import { SeenFiles } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { addressOf, type Target } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeFolder } from '../modules/code-folder.ts';
import { folderBeside } from '../modules/folder-beside.ts';
import type { ModuleIndex } from '../modules/module-index.ts';
import type { SourceModule } from '../modules/source-module.ts';
import { folderDocs } from './folder-docs.ts';
import { renderFolder } from './read-folder.ts';
import { renderLines } from './read-lines.ts';
import { renderModule } from './read-module.ts';
import { renderSymbol } from './read-symbol.ts';
import { isOutlined, symbolLines } from './symbol-text.ts';
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
 * @throws ResourceError when nothing has the address; LineRangeError when the lines are not there
 */
export async function readTarget(base: CodeBase, request: ReadRequest, context: ToolContext): Promise<ToolOutput> {
  const target = await resolveAddress(base, { address: request.target, verb: 'read', range: request.range });
  const source = await sourceOf(target, base.index);
  const isText = request.range !== undefined || showsText(target);
  if (source !== undefined) new SeenFiles(context)[isText ? 'shown' : 'outlined'](source.module.path, source);
  const { tag } = context;
  if (request.range !== undefined) return page(linesOf(target, source, { range: request.range, tag }), 'code');
  switch (target.kind) {
    case 'folder':
      return page(await folderText(base, { folder: target.folder, source, request }, context), 'plain');
    case 'module':
      return page(moduleText(target.source, request.page, { catalog: await base.catalog(), tag }), 'plain');
    default:
      return page(renderSymbol(target, { page: request.page, tag }), 'code');
  }
}

/** False when only what is in it is listed, which says nothing of a change of its text. */
function showsText(target: Target): boolean {
  if (target.kind === 'folder') return false;
  const { text } = target.source;
  return target.kind === 'module' ? text === '' : !isOutlined(text, target.path.at(-1) as SymbolOutline);
}

/** What is shown is as long as it may be and says itself how to go on. */
function page(text: string, format: 'code' | 'plain'): ToolOutput {
  return { text, format, paged: true };
}

async function sourceOf(target: Target, index: ModuleIndex): Promise<SourceModule | undefined> {
  if (target.kind !== 'folder') return target.source;
  return target.folder.index === undefined ? undefined : index.load(target.folder.index);
}

function linesOf(
  target: Target,
  source: SourceModule | undefined,
  asked: { readonly range: LineRange; readonly tag: ToolContext['tag'] },
): string {
  if (source === undefined) {
    const name = target.kind === 'folder' ? target.folder.name : '';
    throw new LineRangeError(`${name === '' ? 'the project' : name} has no lines: it has no index.`, [`<R:${name}>`]);
  }
  const lines = new TextLines(source.text);
  const isSymbol = target.kind === 'symbol';
  const within = isSymbol ? symbolLines(target.path.at(-1) as SymbolOutline, lines) : ([1, source.lines] as const);
  return renderLines({ ...asked, lines, within, address: isSymbol ? addressOf(target) : source.module.name });
}

function moduleText(
  source: SourceModule,
  page: number,
  { catalog, tag }: { readonly catalog: CodeCatalog; readonly tag: ToolContext['tag'] },
): string {
  const folder = folderBeside(source.module, catalog);
  return renderModule(source, { page, tag, ...(folder !== undefined && { folder }) });
}

interface FolderPage {
  readonly folder: CodeFolder;
  readonly source: SourceModule | undefined;
  readonly request: ReadRequest;
}

async function folderText(
  { root, index }: CodeBase,
  { folder, source, request }: FolderPage,
  { signal, tag }: ToolContext,
): Promise<string> {
  const { page, all } = request;
  const docs = await folderDocs([folder, ...folder.folders], { root, index, signal });
  const outlines = await index.outlines(folder.modules, signal);
  return renderFolder({ folder, docs, outlines, page, all, tag, ...(source !== undefined && { index: source }) });
}
