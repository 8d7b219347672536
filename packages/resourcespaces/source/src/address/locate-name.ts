import type { SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { isTitle } from './find-title.ts';
import { findTargets } from './find-targets.ts';
import type { SymbolTarget } from './target.ts';
import { explainMissingAddress, findSlip, formatTargetLines } from './resolve-address.ts';

/** Matches the path, or a pattern, of files that are not modules. */
export const OTHER_FILES = /\.(?:jsonc?|mdx?|rst|txt|ya?ml|toml|html?|s?css|less|svg|csv|sh)$/;

/**
 * Finds what a name stands for that is not the path of a file: a symbol, a package, a module, or a test by its title.
 * With `near`, also what is spelt nearly so; of what cannot be the path of a file, also a name with one wrong letter.
 */
export async function locateName(base: CodeBase, name: string, near: boolean) {
  const isFile = base.index.languages.splitFileName(name) !== undefined;
  const isPath = isFile || /[/\\]/.test(name);
  const isOther = OTHER_FILES.test(name);
  if ((isFile && !near) || (isOther && isPath)) return undefined;
  const [found, ...others] = await findTargets(base, name);
  // `bodyParser.json` is what is exported by that name, and everything else of the kind a file.
  if (isOther && !(found?.kind === 'symbol' && isCalled(found, name))) return undefined;
  if (found !== undefined) return { target: others.length === 0 ? formatTargetLines(found) : name, isExact: true };
  if (isPath && !near) return undefined;
  const { nearest, member } = await explainMissingAddress(name, base);
  // The error for a member that its owner does not have names those that it has.
  if (member !== undefined) return { target: name, isExact: true };
  if (nearest === undefined) return undefined;
  // Reading shows what is meant by a misspelt name, and says so.
  if (isSlip(name, nearest, await base.catalog())) return { target: name, isExact: true };
  return near ? { target: nearest, isExact: false } : undefined;
}

/** Tests whether what is exported is named by its owner, not by its module: `bodyParser.json` in `index.js`. */
function isCalled({ source, path }: SymbolTarget, name: string): boolean {
  const [owner] = name.split('.');
  const isOwner = (one: SymbolOutline): boolean => one.name === owner || one.localName === owner;
  return path[0]!.exported && source.outline.symbols.some(isOwner);
}

/** Minimum length of a name in which one letter may be wrong. */
const LONG_ENOUGH = 5;

/** Returns true when one letter of the owner of a member is wrong, and the member is right: `Comand.parse`. */
function isOwnerMisspelt(typed: string, nearest: string): boolean {
  const [owner = '', ...members] = typed.split(/[.#]/);
  const path = nearest.split('.').slice(-1 - members.length);
  return (
    members.length > 0 &&
    owner.length >= LONG_ENOUGH &&
    members.join('.') === path.slice(1).join('.') &&
    findSlip(owner, [path[0] ?? '']) !== undefined
  );
}

/** Returns true when the last names of two addresses, or paths, differ by one letter, or by two swapped letters. */
export function isSlip(typed: string, nearest: string, catalog: CodeCatalog): boolean {
  const { languages } = catalog;
  const lastName = (path: string) => {
    const stem = languages.splitFileName(path)?.stem;
    return stem === undefined ? path.split(/[.#/]/).at(-1)! : stem.split('/').at(-1)!;
  };
  const path = catalog.findModule(nearest)?.path;
  const { name = '' } = catalog.folder(nearest)?.package ?? {};
  if (typed.length >= LONG_ENOUGH && typed !== name && findSlip(typed, [name]) !== undefined) return true;
  if (isTitle(typed) && /:\d/.test(nearest)) return true;
  const wrong = lastName(typed);
  const rights = [nearest.split('.').at(-1)!, ...(path === undefined ? [] : [lastName(path)])];
  return (
    isOwnerMisspelt(typed, nearest) ||
    (wrong.length >= LONG_ENOUGH && rights.some((right) => wrong !== right && findSlip(wrong, [right]) !== undefined))
  );
}
