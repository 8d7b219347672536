import type { CodeModule } from './code-module.ts';
import type { CodePackage } from './code-package.ts';

/** A folder of modules, or a package; the one without a name is the project. */
export interface CodeFolder {
  /** Its address: `core`, `core.agent`. */
  readonly name: string;
  /** Absent for a folder inside a package. */
  readonly package?: CodePackage;
  /** Folders in it, by name. */
  readonly folders: readonly CodeFolder[];
  /** Modules in it, by name; not its index. */
  readonly modules: readonly CodeModule[];
  /** The module that stands for it. */
  readonly index?: CodeModule;
}

/** All modules in a folder, at any depth. */
export function modulesBelow({ folders, modules, index }: CodeFolder): readonly CodeModule[] {
  return [...(index === undefined ? [] : [index]), ...modules, ...folders.flatMap(modulesBelow)];
}

/** All folders in a folder, at any depth. */
export function foldersBelow({ folders }: CodeFolder): readonly CodeFolder[] {
  return folders.flatMap((folder) => [folder, ...foldersBelow(folder)]);
}
