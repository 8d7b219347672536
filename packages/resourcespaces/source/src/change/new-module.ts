import { posix } from 'node:path';
import { ResourceError } from '@bae/core';
import { EditError, formatPath } from '@bae/workspace';
import { splitAddress } from '../address/split-address.ts';
import { describeAddressProblem } from '../address/address-problem.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import { codeFileName, formatModulePath } from '../modules/name-modules.ts';

/** Last names that belong to the name of a file, not to a folder: `test` of `router.test`. */
const SUFFIXES = new Set(['test', 'spec', 'config', 'bench', 'stories', 'd']);

/**
 * The path of a new module: in the folder that its address begins with, where there is one; else in its package, below
 * `src` if other modules of the package are. It has the ending that is most common there.
 *
 * @throws ResourceError when the address begins with no package of a project that has several
 */
export function chooseModulePath(address: string, catalog: CodeCatalog): string {
  const { label, folder, names } = splitPackage(address, catalog);
  const siblings = catalog.modules.filter((module) => module.package.folder === folder && !module.declares);
  const ending =
    findCommonestEnding(siblings) ?? findCommonestEnding(catalog.modules.filter(({ declares }) => !declares)) ?? 'ts';
  const last = names.at(-1) ?? '';
  const parts = names.length > 1 && SUFFIXES.has(last) ? [...names.slice(0, -2), `${names.at(-2)}.${last}`] : names;
  const known = findFolder(parts, label, siblings);
  if (known !== undefined) return `${joinPath(known.path, ...parts.slice(known.names))}.${ending}`;
  const top = siblings.some(({ path }) => path.startsWith(joinPath(folder, 'src/'))) ? 'src' : '';
  return `${joinPath(folder, top, ...(parts.length === 0 ? ['index'] : parts))}.${ending}`;
}

/** The deepest existing folder of a new module, and the number of names in its address: its path may differ. */
function findFolder(names: readonly string[], label: string, siblings: readonly CodeModule[]) {
  const folders = siblings.flatMap((module) => [...listFoldersAbove(module)]);
  for (let count = names.length - 1; count > 0; count--) {
    const address = [label, ...names.slice(0, count)].filter((name) => name !== '').join('.');
    const inside = folders.filter((folder) => folder.address === address).map(({ path }) => path);
    const path = inside.find((one) => /(?:^|\/)src\//.test(one)) ?? inside[0];
    if (path !== undefined) return { path, names: count };
  }
  return undefined;
}

/** The folders in its package that a module is in, the innermost first. */
function* listFoldersAbove({ folder, path, package: owner }: CodeModule) {
  let address = folder;
  for (let at = posix.dirname(path); address.length > owner.label.length; at = posix.dirname(at)) {
    yield { address, path: at };
    address = address.slice(0, Math.max(address.length - formatModulePath([posix.basename(at)]).length - 1, 0));
  }
}

function joinPath(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

/** The package of an address, and the names behind its label. */
function splitPackage(address: string, catalog: CodeCatalog) {
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
  throw new ResourceError(
    describeAddressProblem(use, fact, { expected: 'an address that begins with a package', remedy }),
    ['<R:>'],
  );
}

function findCommonestEnding(modules: readonly CodeModule[]): string | undefined {
  const byEnding = Map.groupBy(modules, ({ path }) => codeFileName(path)?.ending ?? '');
  return [...byEnding].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/**
 * Refuses a name that no new module can have.
 *
 * @throws ResourceError with the address that was meant; EditError
 */
export function refuseModuleName(name: string, catalog: CodeCatalog): void {
  refuseEnding(name, catalog);
  if (name === '') {
    const fact = 'the name of the module is missing';
    throw new ResourceError(describeAddressProblem({ address: name, verb: 'write' }, fact, { expected: 'a module' }), [
      '<R:>',
    ]);
  }
  if (!/^[^#[\]=]+$/.test(name)) {
    throw new EditError(`'${formatPath(name)}' is no name of a module. Use letters, digits and hyphens.`, ['<R:>']);
  }
  refuseSymbol(name, catalog);
}

/** Files that are no code; a module may be named after a file it reads, but hardly after one of these. */
const DATA = /^(.+)\.(jsonc?|mdx?|yml|txt)$/s;
/** Settings that are changed by key. */
const SETTINGS = /^(?:package|(?:ts|js)config(?:\..+)?)$/;

/** Refuses a name that ends in the ending of a file. */
function refuseEnding(name: string, catalog: CodeCatalog): void {
  const code = codeFileName(name);
  if (code !== undefined) {
    const { stem, ending } = code;
    const isThere = (catalog.module(stem) ?? catalog.moduleMeant(stem)) !== undefined;
    const tag = isThere ? `<R:${formatPath(stem)}>` : `<W:${formatPath(stem)}>…</W>`;
    throw nameError(name, { fact: `'${formatPath(name)}' ends in .${ending}, and modules are named without ending` }, [
      tag,
    ]);
  }
  const [, stem = '', ending = ''] = DATA.exec(name) ?? [];
  if (ending === '') return;
  const tag = ending === 'json' && SETTINGS.test(stem) ? `<source.config.R:${formatPath(stem)}>` : '@home()';
  throw nameError(
    name,
    { fact: `'${formatPath(name)}' is the name of a file that is no code, and write makes modules` },
    [tag],
  );
}

/** Refuses the name of a symbol: to add one to a module, its neighbour is edited. */
function refuseSymbol(name: string, catalog: CodeCatalog): void {
  const [split] = splitAddress(name, catalog);
  if (split === undefined) return;
  const { module, rest } = split;
  if (SUFFIXES.has(rest) || module.isIndex || catalog.folder(module.name) !== undefined) return;
  const fact = `${module.name} is a module, and write makes whole modules`;
  const remedy = `To add ${rest} to it, edit a symbol beside it and send both.`;
  throw nameError(name, { fact, remedy }, [`<R:${module.name}>`]);
}

function nameError(
  name: string,
  { fact, remedy }: { readonly fact: string; readonly remedy?: string },
  hints: readonly string[],
): ResourceError {
  return new ResourceError(
    describeAddressProblem({ address: name, verb: 'write' }, fact, { expected: 'a new module', remedy }),
    hints,
  );
}
