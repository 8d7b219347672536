import { dirname, join, resolve } from 'node:path';
import { getPathKind, readTextFile, resolveLinks } from '../config/disk.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';

/** The folder of the package that this program is. */
const OWN = resolveLinks(PACKAGE_FOLDER);

/** A Node that came as a package, because the one of the shell is too old. */
const PACKAGED_NODE = /node_modules\/(node-(?:linux|darwin)-(?:x64|arm64))\/bin\/node$/;

/** Where a package is, as `file:` and an absolute path: of its folder, or of what it was installed from. */
export type PackageFile = `file:${string}`;

export const TEMPLATES = join(OWN, 'templates');

/**
 * Where this copy of bae has packages: a checkout in folders; one that was installed from files, in those, and then
 * all of them. What it does not have is left out.
 *
 * @param own folder of the copy, without links in its path
 */
export function locatePackages(names: readonly string[], own: string = OWN): ReadonlyMap<string, PackageFile> {
  const installed = readInstalled(own).filter(([, from]) => from.startsWith('file:'));
  if (installed.length > 0) return new Map(installed as readonly (readonly [string, PackageFile])[]);
  return new Map(
    names.flatMap((name) => {
      const folder = findCheckout(name, own);
      return folder === undefined ? [] : [[name, `file:${folder}` as const] as const];
    }),
  );
}

/**
 * True when this copy of bae is from a registry, so that others find its packages there. A checkout, or packages
 * that were installed from files, are known to this machine alone.
 *
 * @param own folder of the copy, without links in its path
 */
export function isFromRegistry(own: string = OWN): boolean {
  if (/\/\.pnpm\/@bae\+cli@\d[^/]*\//.test(own)) return true;
  return readInstalled(own).some(([name, from]) => name === '@bae/cli' && from.startsWith('http'));
}

/** The package whose Node this is; undefined for the Node of the shell. */
export function findPackagedNode(execPath: string = process.execPath): string | undefined {
  return PACKAGED_NODE.exec(execPath)?.[1];
}

/**
 * True when code in a folder finds all of these packages: in its `node_modules`, or in that of a folder above.
 *
 * @param folder absolute; it need not be there
 */
export function isInstalledFor(folder: string, names: readonly string[]): boolean {
  return names.every((name) => findInstalledCopy(name, folder) !== undefined);
}

/** Packages of bae, and what npm has installed them from; none where that was not npm, or is not known. */
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
  // Those of others have longer real paths, with all their versions.
  return path !== undefined && name.startsWith('@bae/') ? resolveLinks(path) : path;
}

/** The folder in which code of a folder finds a package. */
function findInstalledCopy(name: string, folder: string): string | undefined {
  const paths = listAncestors(folder).map((one) => join(one, 'node_modules', name));
  return paths.find((path) => getPathKind(join(path, 'package.json')) === 'file');
}

function listAncestors(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listAncestors(above)];
}
