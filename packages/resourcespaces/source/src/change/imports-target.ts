import type { SymbolTarget } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';

/** `core.agent.import`: the imports of a module. */
const IMPORTS = /^(.+)[.#]import$/s;

/**
 * The place for the first imports of a module that has none: its beginning. Undefined when something else is meant,
 * or there are some.
 */
export async function importsTarget(base: CodeBase, address: string): Promise<SymbolTarget | undefined> {
  const [, owner] = IMPORTS.exec(address.trim()) ?? [];
  if (owner === undefined) return undefined;
  const catalog = await base.catalog();
  const module = catalog.module(owner) ?? catalog.moduleMeant(owner);
  if (module === undefined) return undefined;
  const source = await base.index.load(module);
  if (source.outline.problem !== undefined || source.outline.symbols.some(({ kind }) => kind === 'imports'))
    return undefined;
  const start = /^\uFEFF?(?:#!.*\r?\n)?/.exec(source.text)?.[0].length ?? 0;
  const span = { start, end: start };
  const declarations = [{ ...span, keyword: 'import', head: span }];
  const imports = {
    name: 'import',
    kind: 'imports',
    place: 'module',
    exported: false,
    declarations,
    members: [],
  } as const;
  return { kind: 'symbol', source, path: [imports], passedOn: false };
}
