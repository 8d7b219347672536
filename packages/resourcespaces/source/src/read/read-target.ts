import { LineRangeError, type ToolContext, type ToolOutput } from '@bae/core';
import { SeenFiles } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { addressOf, type SymbolTarget, type Target } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { folderBeside } from '../modules/code-catalog.ts';
import type { ModuleIndex } from '../modules/module-index.ts';
import type { SourceModule } from '../modules/code-module.ts';
import type { ArgsOf } from '../params.ts';
import { addWhole, type PageRequest } from './paging.ts';
import { readFolder } from './read-folder.ts';
import { renderLines, sliceLines, TextLines } from './read-lines.ts';
import { renderModule } from './read-module.ts';
import { isOutlined, renderSymbol, symbolLines, symbolText } from './read-symbol.ts';

/**
 * Shows the project, a package or folder, what is in a module, the source of a symbol, or lines of these. The
 * session remembers which file it was shown; a list of symbols does not count, so a change of the file is still
 * noticed after it.
 *
 * Code gets the text of a symbol or of lines exactly as it is in the file, and of anything else all rows.
 *
 * @throws ResourceError when nothing has the address; LineRangeError when none of the lines exists
 */
export async function readTarget(
  base: CodeBase,
  { target: address, page, all }: ArgsOf<'read'>,
  context: ToolContext,
): Promise<ToolOutput> {
  const { range, tag } = context;
  const target = await resolveAddress(base, { address, verb: 'read', range });
  const source = await loadSource(target, base.index);
  const seen = new SeenFiles(context);
  if (source !== undefined)
    seen[range !== undefined || isText(target) ? 'shown' : 'outlined'](source.module.path, source);
  if (range !== undefined) {
    const lines = { ...findLines(target, source), range, tag };
    return { text: renderLines(lines), format: 'code', paged: true, whole: () => sliceLines(lines) };
  }
  switch (target.kind) {
    case 'folder':
      return readFolder(base, { folder: target.folder, index: source, page, all }, context);
    case 'module': {
      const folder = folderBeside(target.source.module, await base.catalog());
      return renderModule(target.source, { page, tag, folder });
    }
    default:
      return readSymbol(target, { page, tag, seen });
  }
}

interface SymbolPage extends Pick<PageRequest, 'page' | 'tag'> {
  readonly seen: SeenFiles;
}

function readSymbol(target: SymbolTarget, { page, tag, seen }: SymbolPage): ToolOutput {
  const { source, path } = target;
  const text = renderSymbol(target, { page, tag });
  return addWhole({ text, format: 'code', paged: true }, page, () => {
    // The text may be an outline; code gets the source.
    seen.shown(source.module.path, source);
    return symbolText(source.text, path.at(-1) as SymbolOutline);
  });
}

/** False for a list of symbols, which does not show whether their text changed. */
function isText(target: Target): boolean {
  if (target.kind === 'folder') return false;
  const { text } = target.source;
  return target.kind === 'module' ? text === '' : !isOutlined(text, target.path.at(-1) as SymbolOutline);
}

async function loadSource(target: Target, index: ModuleIndex): Promise<SourceModule | undefined> {
  if (target.kind !== 'folder') return target.source;
  return target.folder.index === undefined ? undefined : index.load(target.folder.index);
}

/** The lines of a target: those of the symbol, the module or the index of the folder. */
function findLines(target: Target, source: SourceModule | undefined) {
  if (source === undefined) {
    const name = target.kind === 'folder' ? target.folder.name : '';
    throw new LineRangeError(`${name === '' ? 'the project' : name} has no lines: it has no index.`, [`<R:${name}>`]);
  }
  const lines = new TextLines(source.text);
  if (target.kind !== 'symbol') return { lines, within: [1, source.lines], address: source.module.name } as const;
  return { lines, within: symbolLines(target.path.at(-1) as SymbolOutline, lines), address: addressOf(target) };
}
