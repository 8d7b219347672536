import { join, resolve } from 'node:path';
import { getPathKind, listAncestors, readTextFile, resolveLinks } from '../config/disk.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';

const OWN = resolveLinks(PACKAGE_FOLDER);

/** Path of a Node that was installed as a package, because that of the shell is too old. */
const PACKAGED_NODE = /node_modules[\\/](node-(?:linux|darwin|win)-(?:x64|arm64))[\\/]bin[\\/]node(?:\.exe)?$/;

/** Location of a package: `file:` and the absolute path of its folder or of the file from which it was installed. */
export type PackageFile = `file:${string}`;

export const TEMPLATES = join(OWN, 'templates');

/**
 * Finds the packages of this copy of bae: those of `names` in a checkout, or all if it was installed from files.
 *
 * @param own folder of the copy, without links in its path
 */
export function locatePackages(names: readonly string[], own: string = OWN): ReadonlyMap<string, PackageFile> {
  const installed = readInstalled(own).filter(([, from]) => from.startsWith('file:'));
  if (installed.length > 0) return new Map(installed as readonly (readonly [string, PackageFile])[]);
  const folders = names.map((name) => [name, findCheckout(name, own)] as const);
  return new Map(folders.flatMap(([name, folder]) => (folder === undefined ? [] : [[name, `file:${folder}`]])));
}

/**
 * Returns true if this copy of bae was installed from a registry, so that its packages can be too. @param own as above
 */
export function isFromRegistry(own: string = OWN): boolean {
  if (/\/\.pnpm\/@bae\+cli@\d[^/]*\//.test(own)) return true;
  return readInstalled(own).some(([name, from]) => name === '@bae/cli' && from.startsWith('http'));
}

/** Returns the package that contains the running Node; undefined for the Node of the shell. */
export function findPackagedNode(execPath: string = process.execPath): string | undefined {
  return PACKAGED_NODE.exec(execPath)?.[1];
}

/** Returns true if code in a folder, which need not exist yet, can import all of these packages. */
export function isInstalledFor(folder: string, names: readonly string[]): boolean {
  return names.every((name) => findInstalledCopy(name, folder) !== undefined);
}

/** Reads the bae packages installed by npm, with their sources; empty if another tool installed them. */
function readInstalled(own: string): readonly (readonly [name: string, from: string])[] {
  const modules = listAncestors(own).find((folder) => folder.endsWith('/node_modules'));
  const lock = modules && join(modules, '.package-lock.json');
  if (lock === undefined || getPathKind(lock) !== 'file') return [];
  const { packages = {} } = JSON.parse(readTextFile(lock)) as { packages?: Record<string, { resolved?: string }> };
  return Object.entries(packages).flatMap(([path, { resolved = '' }]) => {
    const name = /^node_modules\/(@bae\/[^/]+)$/.exec(path)?.[1];
    const from = resolved.replace(/^file:(.*)$/, (_, file: string) => `file:${resolve(modules!, '..', file)}`);
    return name === undefined ? [] : [[name, from] as const];
  });
}

function findCheckout(name: string, own: string): string | undefined {
  if (name === '@bae/cli') return own;
  const path = findInstalledCopy(name, own);
  // The real paths of other packages contain their versions.
  return path !== undefined && name.startsWith('@bae/') ? resolveLinks(path) : path;
}

function findInstalledCopy(name: string, folder: string): string | undefined {
  const paths = listAncestors(folder).map((one) => join(one, 'node_modules', name));
  return paths.find((path) => getPathKind(join(path, 'package.json')) === 'file');
}
