import { BaeError } from '@bae/core';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { SourceModule } from '../modules/code-catalog.ts';
import { resolveSpecifier } from './translate-path.ts';
import { splitAddress, splitSymbolPath, type SymbolTarget, type Target } from './target.ts';

/** What has an address; undefined when nothing has. */
export async function findTarget(base: CodeBase, address: string): Promise<Target | undefined> {
  const catalog = await base.catalog();
  const folder = catalog.folder(address);
  for (const { module, rest } of splitAddress(address, catalog)) {
    if (rest === '') {
      if (folder !== undefined && (module.name !== address || module.isIndex)) break;
      return { kind: 'module', source: await base.index.load(module) };
    }
    // A folder wins over a symbol: `core.agent` is the folder, whatever the index of core exports.
    if (folder !== undefined) break;
    const names = splitSymbolPath(rest);
    const symbol = names && (await findSymbol(base, await base.index.load(module), names));
    if (symbol !== undefined) return symbol;
  }
  return folder && { kind: 'folder', folder };
}

/** Who looks up a name: an address sees all names of a module, another module its exports, the module itself all. */
type Viewer = 'address' | 'module' | 'itself';

/**
 * Finds a symbol of a module, by its names from the module inwards. A name that the module only re-exports leads to its
 * declaration, if that is in the project.
 */
export function findSymbol(
  base: CodeBase,
  from: SourceModule,
  wanted: readonly string[],
): Promise<SymbolTarget | undefined> {
  // Each name is looked up once in each module: indexes may re-export hundreds of names, also of each other.
  const visited = new Set<string>();

  async function find(
    source: SourceModule,
    names: readonly string[],
    viewer: Viewer,
  ): Promise<SymbolTarget | undefined> {
    const [first = '', ...rest] = names;
    const visit = `${source.module.path}\0${names.join('\0')}`;
    if (visited.has(visit)) return undefined;
    visited.add(visit);
    const symbol = source.outline.symbols.find(({ name, localName, exported }) =>
      viewer === 'module' ? exported && name === first : name === first || localName === first,
    );
    if (symbol === undefined) return findInStars(source, names);
    const declared = await findDeclared(source, symbol, rest);
    if (declared !== undefined) return declared;
    const members = followNames(symbol.members, rest);
    if (members.length < rest.length) return undefined;
    return { kind: 'symbol', source, path: [symbol, ...members], passedOn: viewer !== 'address' };
  }

  async function findDeclared(source: SourceModule, { origin }: SymbolOutline, rest: readonly string[]) {
    const next = origin && (await loadSpecifier(base, origin.specifier, source));
    if (next === undefined) return undefined;
    const viewer = next === source ? 'itself' : 'module';
    if (origin!.name !== '*') return find(next, [origin!.name, ...rest], viewer);
    return rest.length === 0 ? undefined : find(next, rest, viewer);
  }

  async function findInStars(source: SourceModule, names: readonly string[]): Promise<SymbolTarget | undefined> {
    if (names[0] === 'default') return undefined;
    for (const specifier of source.outline.stars) {
      const next = await loadSpecifier(base, specifier, source);
      const symbol = next && (await find(next, names, 'module'));
      if (symbol !== undefined) return symbol;
    }
    return undefined;
  }

  return find(from, wanted, 'address');
}

/** The module that a specifier refers to, `''` being the module itself; undefined when it cannot be read. */
async function loadSpecifier(base: CodeBase, specifier: string, source: SourceModule) {
  if (specifier === '') return source;
  const next = resolveSpecifier(specifier, source.module.path, await base.catalog());
  try {
    return next && (await base.index.load(next));
  } catch (error) {
    if (BaeError.is(error)) return undefined;
    throw error;
  }
}

/** The symbols that the first of the names lead to, each a member of the one before. */
export function followNames(symbols: readonly SymbolOutline[], names: readonly string[]): readonly SymbolOutline[] {
  const path: SymbolOutline[] = [];
  for (const name of names) {
    const next = (path.at(-1)?.members ?? symbols).find((one) => one.name === name || one.localName === name);
    if (next === undefined) break;
    path.push(next);
  }
  return path;
}
