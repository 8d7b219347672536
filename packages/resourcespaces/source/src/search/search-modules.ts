import type { SearchHit } from '@bae/core';
import { escapePattern } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { search } from './grep-modules.ts';

/** Lines of modules that have a text in them, each under an address that can be read. */
export async function searchModules(base: CodeBase, text: string, limit: number): Promise<readonly SearchHit[]> {
  const catalog = await base.catalog();
  const modules = catalog.modules.filter(({ declares }) => !declares);
  const { groups } = await search(base, { pattern: escapePattern(text), modules, limit });
  return [...groups].flatMap(([{ name }, rows]) => rows.map(({ line, text }) => ({ target: `${name}:${line}`, text })));
}
