import { posix } from 'node:path';
import { EditError, formatPath } from '@bae/workspace';
import { splitAddress } from '../address/target.ts';
import { createAddressError, type AddressUse } from '../address/address-problem.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import { splitFileName, formatModulePath } from '../modules/name-modules.ts';

/** Last names that belong to the name of a file, not to a folder: `test` of `router.test`. */
const SUFFIXES = new Set(['test', 'spec', 'config', 'bench', 'stories', 'd']);

/**
 * The path of a new module: in the folder that its address begins with, where there is one; else in its package, below
 * `src` if other modules of the package are. It has the ending that is most common there.
 */
export function chooseModulePath(use: AddressUse, catalog: CodeCatalog): string {
  const { label, folder, names } = splitPackage(use, catalog);
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
function splitPackage(use: AddressUse, catalog: CodeCatalog) {
  const { address } = use;
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
  throw createAddressError(use, fact, { expected: 'an address that begins with a package', remedy, tags: ['<R:>'] });
}

function findCommonestEnding(modules: readonly CodeModule[]): string | undefined {
  const byEnding = Map.groupBy(modules, ({ path }) => splitFileName(path)?.ending ?? '');
  return [...byEnding].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** Refuses a name that no new module can have. */
export function refuseModuleName(use: AddressUse, catalog: CodeCatalog): void {
  const { address: name } = use;
  refuseEnding(use, catalog);
  if (name === '')
    throw createAddressError(use, 'the name of the module is missing', { expected: 'a module', tags: ['<R:>'] });
  if (!/^[^#[\]=]+$/.test(name))
    throw new EditError(`'${formatPath(name)}' is no name of a module. Use letters, digits and hyphens.`, ['<R:>']);
  refuseSymbol(use, catalog);
}

/** Files that are no code; a module may be named after a file it reads, but hardly after one of these. */
const DATA = /^(.+)\.(jsonc?|mdx?|yml|txt)$/s;
/** Settings that are changed by key. */
const SETTINGS = /^(?:package|(?:ts|js)config(?:\..+)?)$/;
const EXPECTED = 'a new module';

/** Refuses a name that ends in the ending of a file. */
function refuseEnding(use: AddressUse, catalog: CodeCatalog): void {
  const name = formatPath(use.address);
  const code = splitFileName(use.address);
  if (code !== undefined) {
    const stem = formatPath(code.stem);
    const tag = catalog.findModule(code.stem) === undefined ? `<W:${stem}>…</W>` : `<R:${stem}>`;
    const fact = `'${name}' ends in .${code.ending}, and modules are named without ending`;
    throw createAddressError(use, fact, { expected: EXPECTED, tags: [tag] });
  }
  const [, stem = '', ending = ''] = DATA.exec(use.address) ?? [];
  if (ending === '') return;
  const tag = ending === 'json' && SETTINGS.test(stem) ? `<source.config.R:${formatPath(stem)}>` : '@home()';
  const fact = `'${name}' is the name of a file that is no code, and write makes modules`;
  throw createAddressError(use, fact, { expected: EXPECTED, tags: [tag] });
}

/** Refuses the name of a symbol: to add one to a module, its neighbour is edited. */
function refuseSymbol(use: AddressUse, catalog: CodeCatalog): void {
  const [split] = splitAddress(use.address, catalog);
  if (split === undefined) return;
  const { module, rest } = split;
  if (SUFFIXES.has(rest) || module.isIndex || catalog.folder(module.name) !== undefined) return;
  throw createAddressError(use, `${module.name} is a module, and write makes whole modules`, {
    expected: EXPECTED,
    remedy: `To add ${rest} to it, edit a symbol beside it and send both.`,
    tags: [`<R:${module.name}>`],
  });
}
