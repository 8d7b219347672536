import { basename, dirname, join, sep } from 'node:path';
import type { KnownLoads, TrustStore } from '@bae/plugins';
import { getPathKind, listAncestors, listFolderEntries, resolveLinks } from './disk.ts';

/** Folder of installed packages. */
const MODULES = 'node_modules';
/** Matches the folder of an installed package in the path of one of its files. */
const PACKAGE = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/s;

/**
 * Lists the files of settings written in code, and the packages they load.
 *
 * @param files the settings files and what they import by relative paths
 */
export function listCode(files: readonly string[], loads: KnownLoads | undefined): readonly string[] {
  return [...files, ...Object.keys(loads?.files ?? {}), ...listInstalled(loads)];
}

/**
 * Lists the folders of used packages that are installed, and of those that they load. A package that is developed in the
 * folder can be changed by the agent; its user is asked again before it runs.
 */
export function listPackageCode(folders: readonly string[], trust: Pick<TrustStore, 'entries'>): readonly string[] {
  // The decisions are read once: there may be hundreds of packages.
  const loads = new Map(trust.entries().map((entry) => [entry.path, entry.loads]));
  return folders.flatMap((folder) => [...(isInModules(folder) ? [folder] : []), ...listInstalled(loads.get(folder))]);
}

function listInstalled(loads: KnownLoads | undefined): readonly string[] {
  return Object.keys(loads?.packages ?? {}).filter(isInModules);
}

/**
 * Lists everything that has to stay as it is so that the same code is loaded again: its files, installed packages as a
 * whole, and where imports look for packages. A link there leads to a package, as those of pnpm do, and what is put into
 * a place that is searched earlier would be loaded instead.
 *
 * @param code absolute paths of files, and of folders of installed packages
 * @param root of the workspace
 */
export function listLoadedPaths(code: readonly string[], root: string): readonly string[] {
  const files = code.filter((path) => !isInModules(path));
  const packages = new Set(code.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  const real = files.map((path) => (getPathKind(path) === 'nothing' ? path : resolveLinks(path)));
  const stores = Array.from(packages).flatMap(listAncestors).filter(isInModules);
  return [
    ...files,
    ...packages,
    ...appendModules(stores),
    ...listModulePlaces({ files: [...files, ...real], packages }, resolveLinks(root)),
  ];
}

function isInModules(path: string): boolean {
  return /[/\\]node_modules[/\\]/.test(path);
}

/** Returns the places in which code in some folders finds packages. */
function appendModules(folders: readonly string[]): readonly string[] {
  const holders = folders.filter((folder) => basename(folder) !== MODULES);
  return Array.from(new Set(holders), (folder) => join(folder, MODULES));
}

interface LoadedCode {
  readonly files: readonly string[];
  /** Folders of installed packages. */
  readonly packages: ReadonlySet<string>;
}

/** Lists where files of the project find packages: a place that does not exist, or the packages in one that does. */
function listModulePlaces(code: LoadedCode, root: string): readonly string[] {
  const folders = code.files.flatMap((file) => listAncestors(dirname(file)));
  const places = appendModules([root, ...folders.filter((folder) => folder.startsWith(root + sep))]);
  const existing = places.filter((place) => getPathKind(place) !== 'nothing');
  // A package outside the project is found by its name, so that name is protected in every place.
  const elsewhere = Array.from(code.packages).filter((folder) => !folder.startsWith(root + sep));
  const names = new Set(elsewhere.map(nameInstalled));
  for (const place of existing) for (const name of findLoadedIn(place, code)) names.add(name);
  return places.flatMap((place) =>
    existing.includes(place) ? Array.from(names, (name) => join(place, name)) : [place],
  );
}

function nameInstalled(folder: string): string {
  const scope = basename(dirname(folder));
  return scope.startsWith('@') ? `${scope}/${basename(folder)}` : basename(folder);
}

/** Finds the names of the packages in a place that are loaded, and of the links that lead to loaded code. */
function findLoadedIn(place: string, { files, packages }: LoadedCode): readonly string[] {
  return listFolderEntries(place).flatMap((entry) => {
    const path = join(place, entry.name);
    if (entry.name.startsWith('@') && entry.isDirectory())
      return findLoadedIn(path, { files, packages }).map((name) => `${entry.name}/${name}`);
    if (packages.has(path)) return [entry.name];
    if (!entry.isSymbolicLink() || getPathKind(path) !== 'folder') return [];
    const target = resolveLinks(path);
    return packages.has(target) || files.some((file) => file.startsWith(target + sep)) ? [entry.name] : [];
  });
}
