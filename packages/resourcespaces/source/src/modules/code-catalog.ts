import type { CodeFolder } from './code-folder.ts';
import type { CodeModule } from './code-module.ts';
import type { CodePackage } from './code-package.ts';
import { codeTree } from './code-tree.ts';
import { nameModules, otherNames } from './name-modules.ts';

/** The modules, folders and packages of a project at one moment. */
export class CodeCatalog {
  readonly packages: readonly CodePackage[];
  /** Sorted by name. */
  readonly modules: readonly CodeModule[];
  readonly #byName: ReadonlyMap<string, CodeModule>;
  readonly #byPath: ReadonlyMap<string, CodeModule>;
  readonly #folders: ReadonlyMap<string, CodeFolder>;
  #others: ReadonlyMap<string, CodeModule> | undefined;

  /**
   * @param paths of all files
   * @param packages the one at the root last
   */
  constructor(paths: readonly string[], packages: readonly CodePackage[]) {
    this.packages = packages;
    this.modules = nameModules(paths, packages);
    this.#byName = new Map(this.modules.map((module) => [module.name, module]));
    this.#byPath = new Map(this.modules.map((module) => [module.path, module]));
    this.#folders = codeTree(this.modules, packages);
  }

  /** The module of a name. */
  module(name: string): CodeModule | undefined {
    return this.#byName.get(name);
  }

  /** The module that is meant by a name that no module has: `core.src.agent.index`, `packages.core.src.agent`. */
  moduleMeant(name: string): CodeModule | undefined {
    this.#others ??= uniqueOtherNames(this.modules);
    return this.#others.get(name);
  }

  /** @param path below the root */
  moduleAt(path: string): CodeModule | undefined {
    return this.#byPath.get(path);
  }

  /** The folder of an address; `''` for the project. */
  folder(name: string): CodeFolder | undefined {
    return this.#folders.get(name);
  }

  /** Addresses of all folders and packages. */
  get folderNames(): Iterable<string> {
    return this.#folders.keys();
  }

  get project(): CodeFolder {
    return this.#folders.get('') as CodeFolder;
  }

  /** True when the modules are those of several packages. */
  get hasPackages(): boolean {
    return this.packages.length > 1;
  }
}

/** Names that could stand for one module only. */
function uniqueOtherNames(modules: readonly CodeModule[]): ReadonlyMap<string, CodeModule> {
  const found = new Map<string, CodeModule>();
  const several = new Set<string>();
  for (const module of modules) {
    for (const name of new Set(otherNames(module))) {
      if (found.has(name)) several.add(name);
      found.set(name, module);
    }
  }
  for (const name of several) found.delete(name);
  return found;
}
