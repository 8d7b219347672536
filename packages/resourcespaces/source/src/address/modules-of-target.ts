import { type CodeCatalog, folderBeside } from '../modules/code-catalog.ts';
import { type CodeModule, modulesBelow } from '../modules/code-module.ts';
import type { Target } from './target.ts';

/** The modules that an address stands for: all in a folder, or one; where both have the name, both. */
export function modulesOfTarget(target: Target, catalog: CodeCatalog): readonly CodeModule[] {
  if (target.kind === 'folder') return modulesBelow(target.folder);
  const { module } = target.source;
  const folder = target.kind === 'module' ? folderBeside(module, catalog) : undefined;
  return [module, ...(folder === undefined ? [] : modulesBelow(folder))];
}
