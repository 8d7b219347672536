import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { explainMissing, findSlip, findTargets, formatTargetLines } from './resolve-address.ts';

/** Matches the path, or a pattern, of files that are not modules. */
export const OTHER_FILES = /\.(?:jsonc?|mdx?|rst|txt|ya?ml|toml|html?|s?css|less|svg|csv|sh)$/;

/**
 * Finds what a name stands for that is not the path of a file: a symbol, a package, a module, or a test by its title.
 * With `near`, also what is spelt nearly so.
 */
export async function locateName(base: CodeBase, name: string, near: boolean) {
  const isFile = base.index.languages.splitFileName(name) !== undefined;
  if (OTHER_FILES.test(name) || (isFile && !near)) return undefined;
  const [found, ...others] = await findTargets(base, name);
  if (found !== undefined) return { target: others.length === 0 ? formatTargetLines(found) : name, isExact: true };
  const { nearest } = near ? await explainMissing(name, base) : {};
  if (nearest === undefined) return undefined;
  // Reading shows what is meant by a misspelt name, and says so.
  return isSlip(name, nearest, await base.catalog())
    ? { target: name, isExact: true }
    : { target: nearest, isExact: false };
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
  // The title of a test has several words.
  if (/\s/.test(typed) && /:\d/.test(nearest)) return true;
  const wrong = lastName(typed);
  const rights = [nearest.split('.').at(-1)!, ...(path === undefined ? [] : [lastName(path)])];
  return (
    isOwnerMisspelt(typed, nearest) ||
    (wrong.length >= LONG_ENOUGH && rights.some((right) => wrong !== right && findSlip(wrong, [right]) !== undefined))
  );
}
