import { relative } from 'node:path';
import type { ProjectPackage } from '@bae/project';
import { Languages } from '../language/languages.ts';
import type { Outline } from '../language/outline.ts';

/** A module of a project. */
export interface CodeModule {
  /** Unique address of the module: `core.tool-router`. */
  readonly name: string;
  /** Address of its folder, `''` for the root: `core`. */
  readonly folder: string;
  /** Path relative to the root. */
  readonly path: string;
  readonly package: ProjectPackage;
  readonly isIndex: boolean;
  /** True for a file that only declares types. */
  readonly declares: boolean;
}

/** A module with its current text on disk. */
export interface SourceModule {
  readonly module: CodeModule;
  readonly text: string;
  readonly hash: string;
  readonly lines: number;
  readonly outline: Outline;
  /** True if the outline has what is inside of functions. */
  readonly inner: boolean;
}

/** A folder of modules, or a package; the one without a name is the project. */
export interface CodeFolder {
  /** Address of the folder: `core`, `core.agent`. */
  readonly name: string;
  /** The package of the folder; absent for a folder inside a package. */
  readonly package?: ProjectPackage;
  readonly folders: readonly CodeFolder[];
  /** Modules in the folder, sorted by name; without its index. */
  readonly modules: readonly CodeModule[];
  readonly index?: CodeModule;
}

/** Lists all modules in a folder, at any depth. */
export function listModulesBelow({ folders, modules, index }: CodeFolder): readonly CodeModule[] {
  return [...(index === undefined ? [] : [index]), ...modules, ...folders.flatMap(listModulesBelow)];
}

/** Lists all folders in a folder, at any depth. */
export function listFoldersBelow({ folders }: CodeFolder): readonly CodeFolder[] {
  return folders.flatMap((folder) => [folder, ...listFoldersBelow(folder)]);
}

interface CatalogParts {
  /** The packages; the one at the root comes last. */
  readonly packages: readonly ProjectPackage[];
  readonly languages?: Languages;
  readonly root?: string;
}

/** The modules, folders and packages of a project at one moment. */
export class CodeCatalog {
  readonly root: string;
  readonly packages: readonly ProjectPackage[];
  /** The modules, sorted by name. */
  readonly modules: readonly CodeModule[];
  readonly #byName: ReadonlyMap<string, CodeModule>;
  readonly #byPath: ReadonlyMap<string, CodeModule>;
  readonly #folders: ReadonlyMap<string, CodeFolder>;
  #others: ReadonlyMap<string, CodeModule> | undefined;

  readonly languages: Languages;

  constructor(paths: readonly string[], { packages, languages = new Languages(), root = '/' }: CatalogParts) {
    this.root = root;
    this.packages = packages;
    this.languages = languages;
    this.modules = nameModules(paths, { packages, languages });
    this.#byName = new Map(this.modules.map((module) => [module.name, module]));
    this.#byPath = new Map(this.modules.map((module) => [module.path, module]));
    this.#folders = buildFolders(this.modules, packages);
  }

  module(name: string): CodeModule | undefined {
    return this.#byName.get(name);
  }

  /** Returns the module that an alternative name refers to: `core.src.agent.index`, `packages.core.src.agent`. */
  moduleByOtherName(name: string): CodeModule | undefined {
    this.#others ??= collectOtherNames(this.modules, this.languages);
    return this.#others.get(name);
  }

  /** Returns the module with a name or alternative name. */
  findModule(name: string): CodeModule | undefined {
    return this.module(name) ?? this.moduleByOtherName(name);
  }

  moduleAt(path: string): CodeModule | undefined {
    return this.#byPath.get(path);
  }

  moduleOf(file: string): CodeModule | undefined {
    return this.moduleAt(relative(this.root, file).replaceAll('\\', '/'));
  }

  /** Returns the folder with an address; `''` for the project. */
  folder(name: string): CodeFolder | undefined {
    return this.#folders.get(name);
  }

  get folderNames(): Iterable<string> {
    return this.#folders.keys();
  }

  get project(): CodeFolder {
    return this.#folders.get('') as CodeFolder;
  }

  /** True when the modules belong to several packages. */
  get hasPackages(): boolean {
    return this.packages.length > 1;
  }
}

/** Collects the alternative names that refer to exactly one module. */
function collectOtherNames(modules: readonly CodeModule[], languages: Languages): ReadonlyMap<string, CodeModule> {
  const named = modules.flatMap((module) =>
    [...new Set(listOtherNames(module, languages))].map((name) => ({ name, module })),
  );
  const byName = Map.groupBy(named, ({ name }) => name);
  return new Map(
    [...byName].flatMap(([name, [one, ...more]]) => (one && more.length === 0 ? [[name, one.module]] : [])),
  );
}

type MutableFolder = Omit<CodeFolder, 'folders' | 'modules'> & {
  readonly folders: MutableFolder[];
  readonly modules: CodeModule[];
  index?: CodeModule;
  package?: ProjectPackage;
};

function buildFolders(
  modules: readonly CodeModule[],
  packages: readonly ProjectPackage[],
): ReadonlyMap<string, CodeFolder> {
  const folders = new Map<string, MutableFolder>([['', { name: '', folders: [], modules: [] }]]);
  const folderOf = (name: string, owner: ProjectPackage): MutableFolder => {
    const known = folders.get(name);
    if (known !== undefined) return known;
    const folder: MutableFolder = { name, folders: [], modules: [] };
    folders.set(name, folder);
    // A label is one step, even if it contains dots.
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

/** Returns the folder with the same name as a module that is not its index: `router/` next to `router.ts`. */
export function findFolderBeside({ name, folder, isIndex }: CodeModule, catalog: CodeCatalog): CodeFolder | undefined {
  return isIndex && name === folder ? undefined : catalog.folder(name);
}

/** Rank of hidden files, higher than every other rank. */
const HIDDEN = 100;

/** A module that has no name yet. */
interface UnnamedModule extends Omit<CodeModule, 'name'> {
  /** Order of naming: the module with the lowest rank gets a name first. */
  readonly rank: number;
  /** Possible names, the shortest first. */
  readonly candidates: readonly string[];
}

/**
 * Gives every module of a project a unique name: the package's label and the path below `src` without the extension; an
 * index has the name of its folder.
 *
 * If several files have the same name, the first gets it: TypeScript before JavaScript, a file before an index, files
 * below `src` before others, and hidden files last. The names of the others get the omitted parts, in this order:
 * `index`, the extension, `src`, and finally a number.
 */
function nameModules(paths: readonly string[], { packages, languages }: Pick<CodeCatalog, 'packages' | 'languages'>) {
  const byFolder = new Map(packages.map((one) => [one.folder, one]));
  const packageOf = (path: string): ProjectPackage => {
    let folder = path;
    do folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
    while (folder !== '' && !byFolder.has(folder));
    return byFolder.get(folder) as ProjectPackage;
  };
  let unnamed = paths.flatMap((path) => listCandidateNames(path, packageOf(path), languages) ?? []);
  unnamed.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1));
  const named = new Map<string, CodeModule>();
  for (let round = 0; unnamed.length > 0; round++) {
    unnamed = unnamed.filter((one) => {
      const { candidates, rank: _, ...module } = one;
      const name = candidates[round] ?? `${candidates.at(-1)}~${round - candidates.length + 2}`;
      if (named.has(name)) return true;
      named.set(name, { name, ...module });
      return false;
    });
  }
  return [...named.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lists alternative names of a module: longer ones, and its path with dots. */
function listOtherNames({ path, package: owner }: CodeModule, languages: Languages): readonly string[] {
  const dotted = path.replaceAll('/', '.');
  const { stem = '' } = languages.splitFileName(dotted) ?? {};
  return [...(listCandidateNames(path, owner, languages)?.candidates ?? []), stem, dotted];
}

function listCandidateNames(path: string, owner: ProjectPackage, languages: Languages): UnnamedModule | undefined {
  const below = owner.folder === '' ? path : path.slice(owner.folder.length + 1);
  const parts = below.split('/');
  const file = languages.splitFileName(parts.pop() as string);
  if (file === undefined) return undefined;
  const { stem, ending, isIndex } = file;
  const inSource = parts[0] === 'src';
  const folder = nameFolder(parts, owner);
  const long = formatModulePath([folder, stem]);
  const longest = formatModulePath([owner.label, ...parts, stem]);
  const candidates = [
    isIndex && folder !== '' ? folder : long,
    long,
    `${long}.${ending}`,
    longest,
    `${longest}.${ending}`,
  ];
  const isHidden = /(?:^|\/)\./.test(below);
  const rank = (isHidden ? HIDDEN : 0) + file.rank * 4 + (isIndex ? 2 : 0) + (inSource ? 0 : 1);
  return { candidates, folder, path, package: owner, isIndex, declares: /\.d(\.[^./]+)?\.[cm]?ts$/.test(path), rank };
}

/** Returns the address of a folder by its path in the package. */
export function nameFolder(parts: readonly string[], { label }: Pick<ProjectPackage, 'label'>): string {
  return formatModulePath([label, ...(parts[0] === 'src' ? parts.slice(1) : parts)]);
}

/** Joins names with dots, and removes dots at the beginning of a name: `github.scripts` for `.github/scripts`. */
export function formatModulePath(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/^\.+(?=[^.])/, ''))
    .filter((part) => part !== '')
    .join('.');
}
