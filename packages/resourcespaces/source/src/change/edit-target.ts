import type { LineRange } from '@bae/core';
import { splitRange } from '@bae/core/pipeline';
import { EditError, renderRange } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { formatSymbolPath, type SymbolTarget, type Target } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { TextLines } from '../read/read-lines.ts';

/** The argument of an edit. */
export interface EditTarget {
  readonly target: string;
  readonly range?: LineRange | undefined;
}

/**
 * Splits a line range off the address of an edit. An edit takes none, so its tool does not declare one, which would
 * add it to every example; but the error for a range names the symbol that it is in.
 */
export function editTarget(argument: string): EditTarget {
  const split = splitRange(argument);
  return 'error' in split || split.range === null ? { target: argument } : { target: split.target, range: split.range };
}

/**
 * The file that an edit changes, below the root and without links: what rules over consent are compared with.
 *
 * @throws ResourceError when nothing has the address
 */
export async function pathOf(base: CodeBase, address: string): Promise<string> {
  const target = await resolveAddress(base, { address: address.replace(/[.#]import$/, ''), verb: 'edit' });
  if (target.kind === 'folder') return target.folder.index?.path ?? '';
  return (await base.root.info(target.source.module.path)).path;
}

/**
 * The symbol that an edit changes.
 *
 * @throws ResourceError when nothing has the address; EditError when it is no symbol, or has a line range
 */
export async function resolveEditTarget(base: CodeBase, { target: address, range }: EditTarget): Promise<SymbolTarget> {
  const target = (await resolveFirstImports(base, address)) ?? (await resolveAddress(base, { address, verb: 'edit' }));
  if (target.kind === 'folder') {
    const { name } = target.folder;
    throw new EditError(`${name === '' ? 'the project' : name} is a folder; edit changes one symbol.`, [`<R:${name}>`]);
  }
  if (range !== undefined) throw rangeError(target, range);
  if (target.kind === 'symbol') return target;
  const { module, outline } = target.source;
  const first = outline.symbols.find(({ kind }) => kind !== 'imports');
  throw new EditError(`${module.name} is a module; edit changes one symbol, write the whole.`, [
    first === undefined ? `<R:${module.name}>` : `<E:${module.name}.${first.name}>`,
    `<W:${module.name} overwrite=true>…</W>`,
  ]);
}

/** `core.agent.import`: the imports of a module. */
const IMPORTS = /^(.+)[.#]import$/s;

/** The place for the first imports of a module without any: its beginning. Undefined for every other address. */
async function resolveFirstImports(base: CodeBase, address: string): Promise<SymbolTarget | undefined> {
  const [, owner] = IMPORTS.exec(address.trim()) ?? [];
  if (owner === undefined) return undefined;
  const catalog = await base.catalog();
  const module = catalog.module(owner) ?? catalog.moduleMeant(owner);
  if (module === undefined) return undefined;
  const source = await base.index.load(module);
  const { problem, symbols } = source.outline;
  if (problem !== undefined || symbols.some(({ kind }) => kind === 'imports')) return undefined;
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

/** Lines cannot be edited by number; the error names the symbol that they are in. */
function rangeError({ source }: Exclude<Target, { kind: 'folder' }>, [first, last]: LineRange): EditError {
  const lines = new TextLines(source.text);
  const at = lines.startOf(first) + (/^\s*/.exec(lines.all[first - 1] ?? '')?.[0].length ?? 0);
  const path = findInnermostSymbol(source.outline.symbols, at);
  const tag = `<R:${[source.module.name, ...path.map(({ name }) => name)].join('.')}>`;
  const range = renderRange(first, last ?? source.lines);
  const where = path.length === 0 ? 'are in no symbol' : `are in ${formatSymbolPath(path)}`;
  return new EditError(`edit replaces a whole symbol; lines ${range} of ${source.module.name} ${where}.`, [tag]);
}

function findInnermostSymbol(symbols: readonly SymbolOutline[], index: number): readonly SymbolOutline[] {
  const found = symbols.find(({ declarations }) =>
    declarations.some(({ start, end }) => start <= index && index < end),
  );
  return found === undefined ? [] : [found, ...findInnermostSymbol(found.members, index)];
}
