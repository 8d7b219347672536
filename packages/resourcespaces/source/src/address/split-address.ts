import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';

/** A module and the names behind it. */
interface SplitAddress {
  readonly module: CodeModule;
  /** `''` when the address names the module itself. */
  readonly rest: string;
}

/**
 * The ways to read an address, the longest module first: of `core.agent.Agent.run`, the modules `core.agent.Agent`,
 * `core.agent` and `core` if they exist. `#` between module and symbol leaves one way.
 */
export function splitAddress(address: string, catalog: CodeCatalog): readonly SplitAddress[] {
  const separator = /[^.]#/.exec(address);
  if (separator !== null) {
    const at = separator.index + 1;
    const name = address.slice(0, at);
    const module = catalog.findModule(name);
    return module === undefined ? [] : [{ module, rest: address.slice(at + 1) }];
  }
  const names = splitSymbolPath(address) ?? [];
  return [catalog.module.bind(catalog), catalog.moduleByOtherName.bind(catalog)].flatMap((find) =>
    names.flatMap((_, index) => {
      const count = names.length - index;
      const module = find(names.slice(0, count).join('.'));
      return module === undefined ? [] : [{ module, rest: names.slice(count).join('.') }];
    }),
  );
}

/**
 * The names of a symbol path: `A.#state` is `A` and `#state`, `A.[Symbol.iterator]` is `A` and `[Symbol.iterator]`.
 *
 * @returns undefined when one of the names is empty
 */
export function splitSymbolPath(path: string): readonly string[] | undefined {
  const names: string[] = [];
  let name = '';
  let depth = 0;
  for (const char of path) {
    if (char === '[') depth++;
    if (char === ']') depth = Math.max(0, depth - 1);
    if (char === '.' && depth === 0) {
      names.push(name);
      name = '';
    } else {
      name += char;
    }
  }
  names.push(name);
  return names.includes('') ? undefined : names;
}
