import type { SymbolTarget } from './target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-catalog.ts';

/** Returns the symbols that the leading names resolve to, each a member of the one before. */
export function followNames(symbols: readonly SymbolOutline[], names: readonly string[]): readonly SymbolOutline[] {
  const path: SymbolOutline[] = [];
  for (const name of names) {
    const next = (path.at(-1)?.members ?? symbols).find((one) => one.name === name || one.localName === name);
    if (next === undefined) break;
    path.push(next);
  }
  return path;
}

/** The symbols inside of which something may be. */
interface Owners {
  readonly isOwner: (symbol: SymbolOutline) => boolean;
  /** The outermost ones. Default: all of the module. */
  readonly symbols?: readonly SymbolOutline[];
}

/** Finds what is in other symbols of a module, at any depth, by the end of its path; each declaration once. */
export function findInOwners(source: SourceModule, names: readonly string[], owners: Owners): readonly SymbolTarget[] {
  const { isOwner, symbols = source.outline.symbols } = owners;
  const paths = new Map<number, readonly SymbolOutline[]>();
  for (const path of listPathsInOwners(symbols, names, isOwner)) {
    const start = path.at(-1)!.declarations[0]?.start ?? -1;
    if (!paths.has(start)) paths.set(start, path);
  }
  return Array.from(paths.values(), (path) => ({ kind: 'symbol', source, path, passedOn: false }));
}

/** Lists the paths to symbols in others that end with some names. */
export function listPathsInOwners(
  symbols: readonly SymbolOutline[],
  names: readonly string[],
  isOwner: Owners['isOwner'],
): readonly (readonly SymbolOutline[])[] {
  return symbols.filter(isOwner).flatMap((owner) => {
    const own = followNames(owner.members, names);
    const direct = own.length === names.length ? [[owner, ...own]] : [];
    return [...direct, ...listPathsInOwners(owner.members, names, isOwner).map((path) => [owner, ...path])];
  });
}
