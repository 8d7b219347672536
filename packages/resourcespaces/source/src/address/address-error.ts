import { nearestName, ResourceError, type BaeError } from '@bae/core';
import { showPath } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeFolder } from '../modules/code-module.ts';
import { declaredAs } from './declared-as.ts';
import { fileAtHome } from './file-at-home.ts';
import { missingSymbol } from './missing-symbol.ts';
import { splitAddress } from './split-address.ts';
import { symbolPath } from './symbol-path.ts';
import { complaint, type AddressUse } from './usage.ts';

/** Symbols of the same name that are named besides the first. */
const NAMED = 2;
/** Why nothing has an address, and what is nearest to it. */
export async function addressError(use: AddressUse, base: CodeBase): Promise<BaeError> {
  const catalog = await base.catalog();
  const [split] = splitAddress(use.address, catalog);
  const folder = deepestFolder(use.address, catalog);
  if (split !== undefined && split.module.name.length >= folder.length) {
    const names = symbolPath(split.rest) ?? [split.rest];
    const below = split.module.name === folder ? namesIn(catalog.folder(folder)) : [];
    return missingSymbol(use, { source: await base.index.load(split.module), names, below });
  }
  const file = await fileAtHome(use, base);
  if (file !== undefined) return file;
  const [declared, ...others] = await declaredAs(use.address, base);
  const meant = declared ?? nearestAddress(use.address, catalog, folder);
  const fact = `no module or symbol '${showPath(use.address)}'`;
  const remedy = meant && [`Did you mean ${meant}?`, ...sameName(others)].join(' ');
  return new ResourceError(complaint(use, fact, { expected: 'a package, module or symbol', remedy }), [
    meant === undefined ? '<R:>' : `<R:${meant}>`,
  ]);
}

/** What is in a folder, each by the name that follows the folder's. */
function namesIn(folder: CodeFolder | undefined): readonly string[] {
  const below = [...(folder?.folders ?? []), ...(folder?.modules ?? [])];
  return below.map(({ name }) => name.slice((folder?.name.length ?? 0) + 1));
}

/** That there is more than one symbol of a name. */
function sameName(others: readonly string[]): readonly string[] {
  if (others.length === 0) return [];
  const more = others.length - NAMED;
  return [`The name is also that of ${others.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}

/** The longest part of an address that is a folder; `''` when it begins with none. */
function deepestFolder(address: string, catalog: CodeCatalog): string {
  const steps = address.split('.');
  for (let count = steps.length - 1; count > 0; count--) {
    const name = steps.slice(0, count).join('.');
    if (catalog.folder(name) !== undefined) return name;
  }
  return '';
}

function nearestAddress(address: string, catalog: CodeCatalog, folder: string): string | undefined {
  const all = [...catalog.folderNames, ...catalog.modules.map(({ name }) => name)].filter((name) => name !== '');
  const inside = nearestName(
    address,
    all.filter((name) => name.startsWith(`${folder}.`)),
  );
  return inside ?? anywhere(address, all);
}

function anywhere(address: string, names: readonly string[]): string | undefined {
  const steps = address.split('.');
  const last = steps.at(-1) ?? '';
  // A wrong folder is worse to guess than a wrong name, so names that end alike come first.
  return nearestName(
    address,
    names.toSorted((a, b) => Number(b.endsWith(last)) - Number(a.endsWith(last))),
  );
}
