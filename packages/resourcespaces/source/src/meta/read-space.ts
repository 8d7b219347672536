import type { ToolContext, ToolOutput } from '@bae/core';
import { counted } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import { pageTag } from '../read/page-tag.ts';
import { moduleLine } from '../read/read-module.ts';
import { rowOutput } from '../read/row-output.ts';
import type { ReloadableSpace } from './meta-host.ts';
import { modulesOf } from './space-code.ts';

const UNREADABLE = { doc: '', symbols: [], stars: [] };

/** What whoever changes a space has to know, besides its code. */
const CONVENTIONS = [
  'conventions:',
  '  The first line of the description of a tool says what comes back.',
  '  Wrong input throws an error: what is wrong, why, and a tag that works.',
  '  What changes something says so by effect; state that is to survive a reload is kept in files.',
];

/** The spaces that can be read and changed, one line each. */
export function listSpaces(spaces: readonly ReloadableSpace[], catalog: CodeCatalog): string {
  return spaces
    .map((space) => {
      const when = space.needsRestart ? ', a change takes effect after restart' : '';
      return `${space.name} -- ${space.folder === '' ? '.' : space.folder} (${counted(modulesOf(catalog, space).length, 'module')}${when})`;
    })
    .join('\n');
}

/** The modules of a space, one line each, and what is to be kept to when they are changed: that code does not get. */
export async function readSpace(
  base: CodeBase,
  { space, page }: { readonly space: ReloadableSpace; readonly page: number },
  { signal, tag }: Pick<ToolContext, 'signal' | 'tag'>,
): Promise<ToolOutput> {
  const catalog = await base.catalog();
  const outlines = await base.index.outlines(modulesOf(catalog, space), signal);
  const rows = modulesOf(catalog, space).map((module) =>
    moduleLine({ module, outline: outlines.get(module) ?? UNREADABLE }),
  );
  const tagOf = pageTag(`R:${space.name}`, { tag });
  const head = [listSpaces([space], catalog)];
  const output = rowOutput({ head, rows: [...rows, ...CONVENTIONS], page, tagOf });
  return page > 1 ? output : { ...output, whole: () => [...head, ...rows].join('\n') };
}
