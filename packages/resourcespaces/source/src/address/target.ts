import type { LineRange } from '@bae/core';
import type { SymbolOutline } from '../language/outline.ts';
import {
  type CodeCatalog,
  type CodeFolder,
  type CodeModule,
  findFolderBeside,
  listModulesBelow,
  type SourceModule,
} from '../modules/code-catalog.ts';

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
  | {
      readonly kind: 'module';
      readonly source: SourceModule;
      /** The lines that are meant, where a part without a name is: a test. */
      readonly lines?: LineRange;
    }
  | SymbolTarget;

/** The names of a symbol as they are written in its address: `ToolRouter.dispatch`. */
export function formatSymbolPath(path: readonly SymbolOutline[]): string {
  return path.map(getAddressName).join('.');
}

/** The name of a symbol in its address; a default export has one of its own where its module names it. */
function getAddressName({ name, localName }: SymbolOutline): string {
  return localName ?? name;
}

/** The address of a symbol, or of its module. */
export function formatAddress({ source, path }: Pick<SymbolTarget, 'source' | 'path'>): string {
  return [source.module.name, ...path.map(getAddressName)].join('.');
}

/** The address of a folder, a module, or the module of a symbol; `''` for the project. */
export function getModuleAddress(target: Target): string {
  return target.kind === 'folder' ? target.folder.name : target.source.module.name;
}

/** The modules that an address stands for: all in a folder, or one; both where a module and a folder have the name. */
export function listTargetModules(target: Target, catalog: CodeCatalog): readonly CodeModule[] {
  if (target.kind === 'folder') return listModulesBelow(target.folder);
  const { module } = target.source;
  const folder = target.kind === 'module' ? findFolderBeside(module, catalog) : undefined;
  return [module, ...(folder === undefined ? [] : listModulesBelow(folder))];
}

interface SplitAddress {
  readonly module: CodeModule;
  /** `''` when the address names the module itself. */
  readonly rest: string;
}

/**
 * The ways to read an address, the longest module first: of `core.agent.Agent.run`, the modules `core.agent.Agent`,
 * `core.agent` and `core` if they exist. `#` between module and symbol leaves one way.
 */
export function splitAddress(address: string, catalog: CodeCatalog): readonly SplitAddress[] {
  const separator = /[^.]#/.exec(address);
  if (separator !== null) {
    const at = separator.index + 1;
    const name = address.slice(0, at);
    const module = catalog.findModule(name);
    return module === undefined ? [] : [{ module, rest: address.slice(at + 1) }];
  }
  const names = splitSymbolPath(address) ?? [];
  return [catalog.module.bind(catalog), catalog.moduleByOtherName.bind(catalog)].flatMap((find) =>
    names.flatMap((_, index) => {
      const count = names.length - index;
      const module = find(names.slice(0, count).join('.'));
      return module === undefined ? [] : [{ module, rest: names.slice(count).join('.') }];
    }),
  );
}

/** The names of a symbol path: `A` and `[Symbol.iterator]` of `A.[Symbol.iterator]`; undefined when one is empty. */
export function splitSymbolPath(path: string): readonly string[] | undefined {
  const names: string[] = [];
  let name = '';
  let depth = 0;
  for (const char of path) {
    if (char === '[') depth++;
    if (char === ']') depth = Math.max(0, depth - 1);
    if (char === '.' && depth === 0) {
      names.push(name);
      name = '';
    } else {
      name += char;
    }
  }
  names.push(name);
  return names.includes('') ? undefined : names;
}
