import { findNearestName, ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { formatQuantity, formatPath } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import type { ReloadableSpace } from '../provide-source.ts';
import { addWhole, renderRowsPage } from '../read/paging.ts';
import { renderModuleLine } from '../read/read-module.ts';

/** Rules for changing a space that its code does not show. */
const CONVENTIONS = [
  'conventions:',
  '  The first line of the description of a tool describes the result.',
  '  Wrong input throws an error: what is wrong, why, and a tag that works.',
  '  A tool that changes something declares its effect; state that has to survive a reload is kept in files.',
];

/** The spaces that can be read and changed, one line each. */
export function listLoadedSpaces(spaces: readonly ReloadableSpace[], catalog: CodeCatalog): string {
  return spaces
    .map((space) => {
      const when = space.needsRestart ? ', a change takes effect after restart' : '';
      const count = formatQuantity(listModules(catalog, space).length, 'module');
      return `${space.name} -- ${space.folder === '' ? '.' : space.folder} (${count}${when})`;
    })
    .join('\n');
}

/** The modules of a space, one line each, and the conventions for changing them, which code does not get. */
export async function readSpace(
  base: CodeBase,
  { space, page }: { readonly space: ReloadableSpace; readonly page: number },
  context: ToolContext,
): Promise<ToolOutput> {
  const catalog = await base.catalog();
  const modules = listModules(catalog, space);
  const outlines = await base.index.outlines(modules, context.signal);
  const rows = modules.map((module) => renderModuleLine(module, outlines.get(module)));
  const head = [listLoadedSpaces([space], catalog)];
  const text = renderRowsPage({ head, rows: [...rows, ...CONVENTIONS], page, call: `R:${space.name}`, context });
  return addWhole({ text, format: 'plain', paged: true }, page, () => [...head, ...rows].join('\n'));
}

/**
 * The space whose code a file is; of nested ones the innermost.
 *
 * @param path below the root
 * @param address that led to the file
 */
export function findSpaceOfFile(spaces: readonly ReloadableSpace[], path: string, address: string): ReloadableSpace {
  const [space] = spaces
    .filter(({ folder }) => isBelow(folder, path))
    .toSorted((a, b) => b.folder.length - a.folder.length);
  if (space !== undefined) return space;
  throw new ResourceError(
    `${address} is not code of a space that is loaded from here (there are ${spaces.map(({ name }) => name).join(', ')}).`,
    [`<source.R:${address}>`, '<source.meta.R:>'],
  );
}

/** The space of a name; throws a ResourceError when there is none. */
export function findSpace(spaces: readonly ReloadableSpace[], name: string): ReloadableSpace {
  const space = spaces.find((one) => one.name === name);
  if (space !== undefined) return space;
  const names = spaces.map((one) => one.name);
  const nearest = findNearestName(name, names) ?? names[0];
  throw new ResourceError(
    `no space '${name}' is loaded from here (space: expected ${names.join(' or ')}).`,
    nearest === undefined ? [] : [`<source.meta.reload:${nearest}>`],
  );
}

/** Refuses a name that is neither a space nor code, when a space has a similar name. */
export function refuseMisspelt(spaces: readonly ReloadableSpace[], name: string): void {
  const names = spaces.map((one) => one.name);
  const nearest = findNearestName(name, names);
  if (nearest === undefined) return;
  throw new ResourceError(`no space '${formatPath(name)}' is loaded from here. Did you mean ${nearest}?`, [
    `<source.meta.R:${nearest}>`,
  ]);
}

/** True for a file in a folder, at any depth. */
export function isBelow(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** The modules of a space, without its tests and files that only declare types. */
function listModules({ modules }: CodeCatalog, { folder }: ReloadableSpace): readonly CodeModule[] {
  return modules.filter(({ path, name, declares }) => !declares && !name.endsWith('.test') && isBelow(folder, path));
}
