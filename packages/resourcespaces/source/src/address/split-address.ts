import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import { symbolPath } from './symbol-path.ts';

/** A module and the names behind it. */
export interface SplitAddress {
  readonly module: CodeModule;
  /** `''` when the module itself is meant. */
  readonly rest: string;
}

/**
 * The ways to read an address, the longest module first: of `core.agent.Agent.run`, the modules `core.agent.Agent`,
 * `core.agent` and `core` as far as they are there. `#` between module and symbol leaves one way.
 */
export function splitAddress(address: string, catalog: CodeCatalog): readonly SplitAddress[] {
  const separator = /[^.]#/.exec(address);
  if (separator !== null) {
    const at = separator.index + 1;
    const name = address.slice(0, at);
    const module = catalog.module(name) ?? catalog.moduleMeant(name);
    return module === undefined ? [] : [{ module, rest: address.slice(at + 1) }];
  }
  const steps = symbolPath(address) ?? [];
  const found: SplitAddress[] = [];
  for (const find of [(name: string) => catalog.module(name), (name: string) => catalog.moduleMeant(name)]) {
    for (let count = steps.length; count > 0; count--) {
      const module = find(steps.slice(0, count).join('.'));
      if (module !== undefined) found.push({ module, rest: steps.slice(count).join('.') });
    }
  }
  return found;
}
