import type { Outline } from '../language/outline.ts';

/** A package of a project. */
export interface CodePackage {
  /** What the names of its modules begin with; `''` for the package at the root. */
  readonly label: string;
  /** Its name as it is imported; undefined when it has none. */
  readonly name: string | undefined;
  /** Below the root, `''` for the root. */
  readonly folder: string;
  /** From its manifest. */
  readonly description: string;
}

/** A module of a project. */
export interface CodeModule {
  /** Its unique address: `core.tool-router`. */
  readonly name: string;
  /** Address of the folder it is in, `''` for the root: `core`. */
  readonly folder: string;
  /** Below the root. */
  readonly path: string;
  readonly package: CodePackage;
  /** True for the index of a folder. */
  readonly isIndex: boolean;
  /** True for a file that only declares types. */
  readonly declares: boolean;
}

/** A module with its text as it is on disk. */
export interface SourceModule {
  readonly module: CodeModule;
  /** Exactly the file's characters. */
  readonly text: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly lines: number;
  readonly outline: Outline;
}

/** A folder of modules, or a package; the one without a name is the project. */
export interface CodeFolder {
  /** Its address: `core`, `core.agent`. */
  readonly name: string;
  /** Absent for a folder inside a package. */
  readonly package?: CodePackage;
  /** Folders in it, by name. */
  readonly folders: readonly CodeFolder[];
  /** Modules in it, by name; without its index. */
  readonly modules: readonly CodeModule[];
  readonly index?: CodeModule;
}

/** All modules in a folder, at any depth. */
export function listModulesBelow({ folders, modules, index }: CodeFolder): readonly CodeModule[] {
  return [...(index === undefined ? [] : [index]), ...modules, ...folders.flatMap(listModulesBelow)];
}

/** All folders in a folder, at any depth. */
export function listFoldersBelow({ folders }: CodeFolder): readonly CodeFolder[] {
  return folders.flatMap((folder) => [folder, ...listFoldersBelow(folder)]);
}
