import type { CodeFolder, CodeModule, CodePackage } from './code-module.ts';
import { nameModules, listOtherNames } from './name-modules.ts';

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
    this.#folders = buildFolders(this.modules, packages);
  }

  module(name: string): CodeModule | undefined {
    return this.#byName.get(name);
  }

  /** The module that another name stands for: `core.src.agent.index`, `packages.core.src.agent`. */
  moduleByOtherName(name: string): CodeModule | undefined {
    this.#others ??= collectOtherNames(this.modules);
    return this.#others.get(name);
  }

  /** The module of any of its names. */
  findModule(name: string): CodeModule | undefined {
    return this.module(name) ?? this.moduleByOtherName(name);
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

/** The alternative names that mean one module only. */
function collectOtherNames(modules: readonly CodeModule[]): ReadonlyMap<string, CodeModule> {
  const found = new Map<string, CodeModule>();
  const several = new Set<string>();
  for (const module of modules) {
    for (const name of new Set(listOtherNames(module))) {
      if (found.has(name)) several.add(name);
      found.set(name, module);
    }
  }
  for (const name of several) found.delete(name);
  return found;
}

type MutableFolder = Omit<CodeFolder, 'folders' | 'modules'> & {
  readonly folders: MutableFolder[];
  readonly modules: CodeModule[];
  index?: CodeModule;
  package?: CodePackage;
};

/** The folders that contain modules, by address; `''` is the project itself. */
function buildFolders(
  modules: readonly CodeModule[],
  packages: readonly CodePackage[],
): ReadonlyMap<string, CodeFolder> {
  const folders = new Map<string, MutableFolder>([['', { name: '', folders: [], modules: [] }]]);
  const folderOf = (name: string, owner: CodePackage): MutableFolder => {
    const known = folders.get(name);
    if (known !== undefined) return known;
    const folder: MutableFolder = { name, folders: [], modules: [] };
    folders.set(name, folder);
    // A label is one step, even with dots in it.
    const parent = name === owner.label ? '' : name.slice(0, Math.max(name.lastIndexOf('.'), 0));
    folderOf(parent, owner).folders.push(folder);
    return folder;
  };
  for (const module of modules) {
    const folder = folderOf(module.folder, module.package);
    if (module.isIndex && module.name === module.folder) folder.index = module;
    else folder.modules.push(module);
  }
  for (const one of packages) {
    const folder = folders.get(one.label);
    if (folder !== undefined) folder.package = one;
  }
  for (const { folders: below } of folders.values()) below.sort((a, b) => (a.name < b.name ? -1 : 1));
  return folders;
}

/** The folder with the same name as a module that is not its index: `router/` beside `router.ts`. */
export function findFolderBeside({ name, folder, isIndex }: CodeModule, catalog: CodeCatalog): CodeFolder | undefined {
  return isIndex && name === folder ? undefined : catalog.folder(name);
}
