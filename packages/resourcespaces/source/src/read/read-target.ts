import { LineRangeError, type ToolContext, type ToolOutput } from '@bae/core';
import { SeenFiles } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { formatAddress, type Target } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { findFolderBeside } from '../modules/code-catalog.ts';
import type { CodeFolder, SourceModule } from '../modules/code-module.ts';
import type { ArgsOf } from '../params.ts';
import { addWhole } from './paging.ts';
import { readCodeFolder } from './read-folder.ts';
import { renderTargetLines, sliceTargetLines, TextLines } from './read-lines.ts';
import { renderModule } from './read-module.ts';
import { isOutlined, renderSymbol, findSymbolLines, getSymbolText } from './read-symbol.ts';

/**
 * Shows the project, a package or folder, the contents of a module, the source of a symbol, or lines of these. The
 * session remembers the files whose text it was shown; a list of symbols does not count, so that a later change of the
 * file is still reported.
 *
 * Code gets the text of a symbol or of lines exactly as it is in the file, and of anything else all rows.
 *
 * @throws ResourceError when nothing has the address; LineRangeError when none of the lines exists
 */
export async function readAddress(
  base: CodeBase,
  { target: address, page, all }: ArgsOf<'read'>,
  context: ToolContext,
): Promise<ToolOutput> {
  const { range, definition } = context;
  const target = await resolveAddress(base, { address, definition, range });
  const source = target.kind === 'folder' ? await loadIndex(target.folder, base) : target.source;
  const seen = new SeenFiles(context);
  if (source !== undefined) {
    seen[range !== undefined || showsText(target, context) ? 'shown' : 'outlined'](source.module.path, source);
  }
  if (range !== undefined) {
    const lines = { ...findLines(target, source), range };
    return {
      text: renderTargetLines(lines, context),
      format: 'code',
      paged: true,
      whole: () => sliceTargetLines(lines),
    };
  }
  switch (target.kind) {
    case 'folder':
      return readCodeFolder(base, { folder: target.folder, index: source, page, all }, context);
    case 'module': {
      const folder = findFolderBeside(target.source.module, await base.catalog());
      return renderModule(target.source, { page, context, folder });
    }
    default: {
      const { source, path } = target;
      const output = { text: renderSymbol(target, { page, context }), format: 'code', paged: true } as const;
      return addWhole(output, page, () => {
        // The text may be an outline; code gets the source.
        seen.shown(source.module.path, source);
        return getSymbolText(source.text, path.at(-1) as SymbolOutline);
      });
    }
  }
}

async function loadIndex({ index }: CodeFolder, base: CodeBase): Promise<SourceModule | undefined> {
  return index && (await base.index.load(index));
}

/** False for a target whose symbols are listed, which does not show whether their text changed. */
function showsText(target: Target, context: ToolContext): boolean {
  if (target.kind === 'folder') return false;
  const { text } = target.source;
  return target.kind === 'module' ? text === '' : !isOutlined(text, target.path.at(-1) as SymbolOutline, context);
}

/** The lines of a target: those of the symbol, the module or the index of the folder. */
function findLines(target: Target, source: SourceModule | undefined) {
  if (source === undefined) {
    const name = target.kind === 'folder' ? target.folder.name : '';
    throw new LineRangeError(`${name === '' ? 'the project' : name} has no lines: it has no index.`, [`<R:${name}>`]);
  }
  const lines = new TextLines(source.text);
  if (target.kind !== 'symbol') return { lines, within: [1, source.lines], address: source.module.name } as const;
  return { lines, within: findSymbolLines(target.path.at(-1) as SymbolOutline, lines), address: formatAddress(target) };
}
