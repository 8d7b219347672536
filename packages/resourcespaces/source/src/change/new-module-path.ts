import { posix } from 'node:path';
import { ResourceError } from '@bae/core';
import { complaint } from '../address/address-problem.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import { codeFileName, dotted } from '../modules/name-modules.ts';
import type { CodeModule } from '../modules/code-module.ts';

const SUFFIXES = new Set(['test', 'spec', 'config', 'bench', 'stories', 'd']);

/** True for a last name that belongs to the name of the file, not to a folder: `test` of `router.test`. */
export function isFileSuffix(name: string): boolean {
  return SUFFIXES.has(name);
}

/**
 * The path of a module that is not there yet: in the folder that its address begins with, where there is one; else in
 * its package, below `src` if modules of the package are. It has the ending that is most common there.
 *
 * @throws ResourceError when the address begins with no package of a project that has several
 */
export function newModulePath(address: string, catalog: CodeCatalog): string {
  const { label, folder, names } = packageOf(address, catalog);
  const siblings = catalog.modules.filter((module) => module.package.folder === folder && !module.declares);
  const ending = commonest(siblings) ?? commonest(catalog.modules.filter(({ declares }) => !declares)) ?? 'ts';
  const last = names.at(-1) ?? '';
  const parts = names.length > 1 && isFileSuffix(last) ? [...names.slice(0, -2), `${names.at(-2)}.${last}`] : names;
  const known = knownFolder(parts, label, siblings);
  if (known !== undefined) return `${pathOf(known.path, ...parts.slice(known.names))}.${ending}`;
  const top = siblings.some(({ path }) => below(path, folder).startsWith('src/')) ? 'src' : '';
  return `${pathOf(folder, top, ...(parts.length === 0 ? ['index'] : parts))}.${ending}`;
}

/** The deepest folder of a new module that is there, and how many names of the module it has: it may be called otherwise. */
function knownFolder(names: readonly string[], label: string, siblings: readonly CodeModule[]) {
  const folders = siblings.flatMap((module) => [...foldersAbove(module)]);
  for (let count = names.length - 1; count > 0; count--) {
    const address = [label, ...names.slice(0, count)].filter((name) => name !== '').join('.');
    const inside = folders.filter((folder) => folder.address === address).map(({ path }) => path);
    const path = inside.find((one) => /(?:^|\/)src\//.test(one)) ?? inside[0];
    if (path !== undefined) return { path, names: count };
  }
  return undefined;
}

/** The folders in its package that a module is in, the innermost first. */
function* foldersAbove({ folder, path, package: owner }: CodeModule) {
  let address = folder;
  for (let at = posix.dirname(path); address.length > owner.label.length; at = posix.dirname(at)) {
    yield { address, path: at };
    address = address.slice(0, Math.max(address.length - dotted([posix.basename(at)]).length - 1, 0));
  }
}

function pathOf(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

interface NewName {
  readonly label: string;
  readonly folder: string;
  /** Behind the label. */
  readonly names: readonly string[];
}

function packageOf(address: string, catalog: CodeCatalog): NewName {
  const inside = catalog.packages
    .filter(({ label }) => label !== '' && (address === label || address.startsWith(`${label}.`)))
    .toSorted((a, b) => b.label.length - a.label.length)[0];
  if (inside !== undefined) {
    const rest = address.slice(inside.label.length + 1);
    return { label: inside.label, folder: inside.folder, names: rest === '' ? [] : rest.split('.') };
  }
  const names = address.split('.');
  if (!catalog.hasPackages || catalog.folder(names[0] ?? '') !== undefined) return { label: '', folder: '', names };
  const labels = catalog.packages.flatMap(({ label }) => (label === '' ? [] : [label]));
  const fact = `'${names[0]}' is no package of this project`;
  const remedy = `Packages: ${labels.slice(0, 8).join(', ')}${labels.length > 8 ? ', …' : ''}.`;
  const use = { address, verb: 'write' } as const;
  throw new ResourceError(complaint(use, fact, { expected: 'an address that begins with a package', remedy }), [
    '<R:>',
  ]);
}

function below(path: string, folder: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

function commonest(modules: readonly CodeModule[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { path } of modules) {
    const { ending = '' } = codeFileName(path) ?? {};
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}
