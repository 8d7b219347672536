import { BaeError } from '@bae/core';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule, SourceModule } from '../modules/code-module.ts';
import { resolveSpecifier } from './resolve-specifier.ts';
import type { SymbolTarget } from './target.ts';

/** What names are looked up with. */
export interface SymbolSearch {
  readonly catalog: CodeCatalog;
  readonly load: (module: CodeModule) => Promise<SourceModule>;
}

/**
 * Looks up a symbol of a module. A name that the module only passes on leads to where it is declared, if that is in
 * the project.
 *
 * @param names from the module inwards, at least one
 */
export function findSymbol(
  source: SourceModule,
  names: readonly string[],
  search: SymbolSearch,
): Promise<SymbolTarget | undefined> {
  return new Finder(search).find(source, names);
}

/** Who asks for a name: an address sees all names of a module, another module what is exported, itself all again. */
type Asker = 'address' | 'module' | 'itself';

class Finder {
  readonly #search: SymbolSearch;
  /** A name is asked for once in every module: an index may pass on hundreds of them, and they each other. */
  readonly #visited = new Set<string>();

  constructor(search: SymbolSearch) {
    this.#search = search;
  }

  async find(
    source: SourceModule,
    names: readonly string[],
    from: Asker = 'address',
  ): Promise<SymbolTarget | undefined> {
    const [first = '', ...rest] = names;
    const visit = `${source.module.path}\0${names.join('\0')}`;
    if (this.#visited.has(visit)) return undefined;
    this.#visited.add(visit);
    const symbol = source.outline.symbols.find(({ name, localName, exported }) =>
      from === 'module' ? exported && name === first : name === first || localName === first,
    );
    if (symbol === undefined) return this.#throughStars(source, names);
    const elsewhere = await this.#follow(source, symbol, rest);
    if (elsewhere !== undefined) return elsewhere;
    const path = pathInside(symbol, rest);
    return path && { kind: 'symbol', source, path, passedOn: from !== 'address' };
  }

  async #follow(source: SourceModule, { origin }: SymbolOutline, rest: readonly string[]) {
    if (origin === undefined) return undefined;
    const next = await this.#open(origin.specifier, source);
    if (next === undefined) return undefined;
    const from = next === source ? 'itself' : 'module';
    if (origin.name !== '*') return this.find(next, [origin.name, ...rest], from);
    return rest.length === 0 ? undefined : this.find(next, rest, from);
  }

  async #throughStars(source: SourceModule, names: readonly string[]): Promise<SymbolTarget | undefined> {
    if (names[0] === 'default') return undefined;
    for (const specifier of source.outline.stars) {
      const next = await this.#open(specifier, source);
      const found = next && (await this.find(next, names, 'module'));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #open(specifier: string, source: SourceModule): Promise<SourceModule | undefined> {
    if (specifier === '') return source;
    const next = resolveSpecifier(specifier, source.module, this.#search.catalog);
    try {
      return next && (await this.#search.load(next));
    } catch (error) {
      // What cannot be read passes nothing on.
      if (BaeError.is(error)) return undefined;
      throw error;
    }
  }
}

function pathInside(symbol: SymbolOutline, names: readonly string[]): readonly SymbolOutline[] | undefined {
  const path = [symbol];
  for (const name of names) {
    const member = path.at(-1)?.members.find((one) => one.name === name);
    if (member === undefined) return undefined;
    path.push(member);
  }
  return path;
}
