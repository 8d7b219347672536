import type { SymbolOutline } from '../language/outline.ts';
import type { CodeFolder, SourceModule } from '../modules/code-module.ts';

/** A symbol in its module. */
export interface SymbolTarget {
  readonly kind: 'symbol';
  readonly source: SourceModule;
  /** From the module inwards: the class, then the method. The last one is meant. */
  readonly path: readonly SymbolOutline[];
  /** True when the address named a module that only passes the symbol on. */
  readonly passedOn: boolean;
}

/** What an address stands for. */
export type Target =
  | { readonly kind: 'folder'; readonly folder: CodeFolder }
  | { readonly kind: 'module'; readonly source: SourceModule }
  | SymbolTarget;

/** The names of a symbol as they are written in its address: `ToolRouter.dispatch`. */
export function symbolName(path: readonly SymbolOutline[]): string {
  return path.map(({ name }) => name).join('.');
}

/** The address of a symbol, or of its module. */
export function addressOf({ source, path }: Pick<SymbolTarget, 'source' | 'path'>): string {
  return [source.module.name, ...path.map(({ name }) => name)].join('.');
}
