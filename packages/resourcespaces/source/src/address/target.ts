import type { SymbolOutline } from '../language/outline.ts';
import { type CodeCatalog, folderBeside } from '../modules/code-catalog.ts';
import { modulesBelow, type CodeFolder, type CodeModule, type SourceModule } from '../modules/code-module.ts';

/** A symbol in its module. */
export interface SymbolTarget {
  readonly kind: 'symbol';
  readonly source: SourceModule;
  /** From the module inwards: the class, then the method. The last one is the target. */
  readonly path: readonly SymbolOutline[];
  /** True when the address named a module that only re-exports the symbol. */
  readonly passedOn: boolean;
}

/** What an address stands for. */
export type Target =
  | { readonly kind: 'folder'; readonly folder: CodeFolder }
  | { readonly kind: 'module'; readonly source: SourceModule }
  | SymbolTarget;

/** The names of a symbol as they are written in its address: `ToolRouter.dispatch`. */
export function formatSymbolPath(path: readonly SymbolOutline[]): string {
  return path.map(({ name }) => name).join('.');
}

/** The address of a symbol, or of its module. */
export function formatAddress({ source, path }: Pick<SymbolTarget, 'source' | 'path'>): string {
  return [source.module.name, ...path.map(({ name }) => name)].join('.');
}

/** The address of a folder, a module, or the module of a symbol; `''` for the project. */
export function moduleAddress(target: Target): string {
  return target.kind === 'folder' ? target.folder.name : target.source.module.name;
}

/** The modules that an address stands for: all in a folder, or one; both where a module and a folder have the name. */
export function listTargetModules(target: Target, catalog: CodeCatalog): readonly CodeModule[] {
  if (target.kind === 'folder') return modulesBelow(target.folder);
  const { module } = target.source;
  const folder = target.kind === 'module' ? folderBeside(module, catalog) : undefined;
  return [module, ...(folder === undefined ? [] : modulesBelow(folder))];
}
