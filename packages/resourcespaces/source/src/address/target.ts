import { posix } from 'node:path';
import { type LineRange, type BaeError, ResourceError } from '@bae/core';
import { type FileWords, formatPath, renderRange } from '@bae/workspace';
import type { SymbolOutline } from '../language/outline.ts';
import {
  CodeCatalog,
  type CodeFolder,
  type CodeModule,
  findFolderBeside,
  listModulesBelow,
  nameFolder,
  type SourceModule,
} from '../modules/code-catalog.ts';

/** A module, or a symbol in one. */
export interface CodeTarget {
  readonly source: SourceModule;
  /**
   * Symbols from the module inwards: the class, then the method. The last one is the target; empty for the module
   * itself.
   */
  readonly path: readonly SymbolOutline[];
}

export interface ModuleTarget extends CodeTarget {
  readonly kind: 'module';
  /** The lines that are meant if a part without a name is the target, such as a test. */
  readonly lines?: LineRange;
}

export interface SymbolTarget extends CodeTarget {
  readonly kind: 'symbol';
  /** True when the address named a module that only re-exports the symbol. */
  readonly passedOn: boolean;
}

/** The target of an address. */
export type Target = FolderTarget | ModuleTarget | SymbolTarget;

export interface FolderTarget {
  readonly kind: 'folder';
  readonly folder: CodeFolder;
  /** The given path if it covers only a part of the folder: `src` of a package. */
  readonly path?: string;
}

/** Returns the names of a symbol as they are written in its address: `ToolRouter.dispatch`. */
export function formatSymbolPath(path: readonly SymbolOutline[]): string {
  return path.map(getAddressName).join('.');
}

/**
 * Returns the name of a symbol in its address; a default export is addressed by the name that its module gives it, if
 * any.
 */
export function getAddressName({ name, localName }: SymbolOutline): string {
  return localName ?? name;
}

/** Returns the address of a symbol or a module. */
export function formatAddress({ source, path }: CodeTarget): string {
  return [source.module.name, ...path.map(getAddressName)].join('.');
}

/** Formats a range of lines as it is written in a tag: `2-3`, `5`, `5-`. */
export function formatLines([first, last]: LineRange): string {
  return last === null ? `${first}-` : renderRange(first, last);
}

/** Returns the address of any target; `''` for the project. */
export function formatTargetAddress(target: Target): string {
  return target.kind === 'folder' ? target.folder.name : formatAddress(target);
}

/** Returns the address of a folder, a module, or the module of a symbol; `''` for the project. */
export function getModuleAddress(target: Target): string {
  return target.kind === 'folder' ? (target.path ?? target.folder.name) : target.source.module.name;
}

/** Lists the modules of a target: all in a folder, or one; both if a module and a folder have the same name. */
export function listTargetModules(target: Target, catalog: CodeCatalog): readonly CodeModule[] {
  if (target.kind === 'folder') {
    const all = listModulesBelow(target.folder);
    return target.path === undefined ? all : all.filter(({ path }) => path.startsWith(`${target.path}/`));
  }
  const { module } = target.source;
  const folder = target.kind === 'module' ? findFolderBeside(module, catalog) : undefined;
  return [module, ...(folder === undefined ? [] : listModulesBelow(folder))];
}

/** Returns the path of the file or folder that a target is in; `''` for the root. */
export function findTargetPath(target: Target): string {
  if (target.kind !== 'folder') return target.source.module.path;
  const { path = target.folder.package?.folder } = target;
  if (path !== undefined) return path;
  const folders = listModulesBelow(target.folder).map((module) => module.path.split('/').slice(0, -1));
  const [first = []] = folders;
  const end = first.findIndex((name, index) => folders.some((names) => names[index] !== name));
  return first.slice(0, end === -1 ? first.length : end).join('/');
}

interface SplitAddress {
  readonly module: CodeModule;
  /** The rest of the address; `''` when the address names the module itself. */
  readonly rest: string;
}

/**
 * Lists the ways to read an address, the longest module first: for `core.agent.Agent.run`, the modules
 * `core.agent.Agent`, `core.agent` and `core` if they exist. A `#` between module and symbol leaves only one way.
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

/**
 * Splits a symbol path into names: `A` and `[Symbol.iterator]` for `A.[Symbol.iterator]`; undefined when one is empty.
 */
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

/** A path followed by a symbol: `src/a.ts#Name`, `src/a.ts:Name`, `src/a.ts.Name`. */
const WITH_SYMBOL = /^(.+\.(?:[cm]?[jt]s|[jt]sx)(?=\.)|[^#:]+(?=[#:]))(?:#|::?|\.)(.+)$/s;

/** Returns a path with slashes only, without leading or trailing slashes and without a leading `./`. */
function normalizePath(given: string): string {
  return given
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
}

/** Limits a folder to a path if its address covers more: `src` is the package without the files next to `src`. */
export function limitToPath(target: Target, given: string): Target {
  const path = normalizePath(given);
  if (target.kind !== 'folder' || target.folder.package?.folder === path) return target;
  const all = listModulesBelow(target.folder);
  const count = all.filter((module) => module.path.startsWith(`${path}/`)).length;
  return count > 0 && count < all.length ? { ...target, path } : target;
}

/**
 * Finds the target of a path without an address: the packages in a folder that belongs to none, or `src` of the
 * project.
 */
export function findFolderAt(given: string, catalog: CodeCatalog): Target | undefined {
  const path = normalizePath(given);
  const packages = catalog.packages.filter(({ folder }) => path !== '' && folder.startsWith(`${path}/`));
  const folders = packages.flatMap(({ label }) => catalog.folder(label) ?? []);
  if (folders.length > 0) return { kind: 'folder', folder: { name: path, folders, modules: [] } };
  return path === 'src' ? limitToPath({ kind: 'folder', folder: catalog.project }, path) : undefined;
}

/** Returns the address for a path; undefined when nothing has that path. */
export function translatePath(given: string, catalog: CodeCatalog): string | undefined {
  const path = normalizePath(given);
  const exact = translateExactly(path, catalog) ?? translatePackageName(path, catalog);
  if (exact !== undefined) return exact;
  const folder = findFolderModule(path, catalog);
  if (folder !== undefined) return folder;
  const dotted = path.replaceAll('/', '.');
  if (/(?:^|\.)(?:\.|$)/.test(dotted)) return undefined;
  const dottedModule = catalog.findModule(dotted);
  if (dottedModule !== undefined) return dottedModule.name;
  const [split] = splitAddress(dotted, catalog);
  return split && [split.module.name, split.rest].filter((part) => part !== '').join('.');
}

/** Returns the address of a package, a module, or a symbol behind the path of its module. */
function translateExactly(path: string, catalog: CodeCatalog): string | undefined {
  // The folder of a package is the package, even if one of its files is the module that others import.
  const owning = catalog.packages.find((one) => (one.folder === path || one.name === path) && path !== '');
  const whole = owning && catalog.folder(owning.label)?.name;
  if (whole !== undefined) return whole;
  const module = findModule(path, catalog) ?? findPackageModule(path, catalog)?.name;
  if (module !== undefined) return module;
  const [, file = '', symbol = ''] = WITH_SYMBOL.exec(path) ?? [];
  const owner = file === '' ? undefined : findModule(file, catalog);
  return owner && `${owner}.${symbol.replaceAll(/(?<=[\w$])(?:::|#)/g, '.')}`;
}

/**
 * Returns the address for something in a package by the name under which the package is imported: `@scope/a.Name`,
 * `@scope/a#Name`, `a/lib/b.js`.
 */
function translatePackageName(given: string, catalog: CodeCatalog): string | undefined {
  for (const { name, label, folder } of catalog.packages) {
    const rest = name !== undefined && given.startsWith(name) ? given.slice(name.length) : '';
    const symbol = /^(?:[.#]|::?)(.+)$/s.exec(rest)?.[1];
    if (symbol !== undefined && label !== '') return `${label}.${symbol}`;
    const paths = rest.startsWith('/') ? [posix.join(folder, rest), posix.join(folder, 'src', rest)] : [];
    for (const path of paths) {
      const found = translateExactly(path, catalog) ?? findFolderModule(path, catalog);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns the name that a new module at a path gets. */
export function nameNewModule(path: string, { packages, languages }: CodeCatalog): string {
  return new CodeCatalog([path], { packages, languages }).modules[0]!.name;
}

function findFolderModule(path: string, catalog: CodeCatalog): string | undefined {
  const inside = catalog.packages.find(({ folder }) => folder !== '' && `${path}/`.startsWith(`${folder}/`));
  const { label, folder } = inside ?? { label: '', folder: '' };
  const name = nameFolder(posix.relative(folder, path).split('/'), { label });
  return name === '' ? undefined : catalog.folder(name)?.name;
}

function findModule(path: string, catalog: CodeCatalog): string | undefined {
  return resolveSpecifier(`./${path}`, '', catalog)?.name;
}

/** Names files, including removed ones, by their modules; other files keep their paths and are opened at home. */
export function makeFileWords(catalog: CodeCatalog): FileWords {
  const moduleOf = (path: string): string | undefined => {
    const { name } = catalog.moduleAt(path) ?? {};
    return name ?? (catalog.languages.splitFileName(path) === undefined ? undefined : nameNewModule(path, catalog));
  };
  return {
    nameOf: (path) => moduleOf(path) ?? formatPath(path),
    tagOf: (verb, path) => {
      const name = moduleOf(path);
      if (name === undefined) return '@home()';
      return verb === 'W' ? `<W:${name}>…</W>` : `<R:${name}>`;
    },
  };
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'] as const;
/** Extensions that a file may have on disk, by the extension in the import. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** Returns the module that an import in the file `from` refers to; undefined for modules outside of the project. */
export function resolveSpecifier(specifier: string, from: string, catalog: CodeCatalog): CodeModule | undefined {
  if (!specifier.startsWith('.')) return findPackageModule(specifier, catalog);
  const path = posix.join(posix.dirname(from), specifier).replace(/\/$/, '');
  return /^\.\.(?:\/|$)/.test(path) ? undefined : findFileModule(path === '.' ? '' : path, catalog);
}

function findFileModule(path: string, catalog: CodeCatalog): CodeModule | undefined {
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0] ?? '';
  const stem = path.slice(0, path.length - ending.length);
  const candidates = [
    path,
    ...(SOURCES[ending] ?? []).map((other) => stem + other),
    ...ENDINGS.flatMap((other) => [path + other, path === '' ? `index${other}` : `${path}/index${other}`]),
  ];
  for (const candidate of candidates) {
    const module = catalog.moduleAt(candidate);
    if (module !== undefined) return module;
  }
  return undefined;
}

/** Finds a package of the project by its name, or a part of one: the source of its export. */
function findPackageModule(specifier: string, catalog: CodeCatalog): CodeModule | undefined {
  const [, name = '', part = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/s.exec(specifier) ?? [];
  const owner = catalog.packages.find((one) => one.name === name);
  if (owner === undefined) return undefined;
  const inside = (path: string) => [owner.folder, path].filter((step) => step !== '').join('/');
  const wanted = part === '' ? 'index' : part;
  return findFileModule(inside(`src/${wanted}`), catalog) ?? findFileModule(inside(wanted), catalog);
}

/** An address that several targets share. Models see it as a ResourceError. */
export class AmbiguousAddressError extends ResourceError {
  readonly targets: readonly Target[];
  /** The unambiguous addresses of the targets. */
  readonly addresses: readonly string[];

  constructor({ message, hints }: BaeError, targets: readonly Target[], addresses: readonly string[]) {
    super(message, hints);
    this.name = 'ResourceError';
    this.targets = targets;
    this.addresses = addresses;
  }
}
