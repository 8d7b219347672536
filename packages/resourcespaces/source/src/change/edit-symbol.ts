import type { LineRange, ToolContext } from '@bae/core';
import { splitRange } from '@bae/core/pipeline';
import { EditError, formatQuantity, refuseStale, renderRange, SeenFiles, splitLines } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, type SymbolTarget, type Target } from '../address/target.ts';
import { type CheckChange, type ModuleChange, planModules, renderShortDiff } from './module-change.ts';
import { removeSymbol, replaceSymbol } from './replace-symbol.ts';
import { ParseError } from '../errors.ts';
import { applyEdits, joinDeclarations, type Outline, type SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { ArgsOf } from '../params.ts';
import { makeSymbolTextTag, TextLines } from '../read/read-symbol.ts';

interface EditRequest extends Omit<ArgsOf<'edit'>, 'test'> {
  readonly check?: CheckChange;
}

/**
 * Plans to replace or remove one symbol, and nothing else in its module.
 *
 * @throws ResourceError when nothing has the address; EditError when it is no symbol, or a name would be lost;
 *   ParseError when the new text is not well formed; ConflictError when the file is not what the session has read
 */
export async function planEdit(base: CodeBase, request: EditRequest, context: ToolContext): Promise<ModuleChange> {
  const { delete: isRemoved, strict, check } = request;
  const target = await resolveEditTarget(base, request.target, context);
  const content = requireContent(request, target);
  const { text: before, module, hash } = target.source;
  const { path, name } = module;
  refuseStale(new SeenFiles(context).view(path), { name, tag: makeSymbolTextTag(target, context) }, target.source);
  const language = await base.index.language;
  const edits = isRemoved ? removeSymbol(target) : replaceSymbol(target, content, language);
  const text = applyEdits(before, edits);
  const after = language.outline({ text, path });
  refuseLoss({ target, after, isRemoved, mayLose: request.rename || isRemoved });
  const places = joinDeclarations(before, (target.path.at(-1) as SymbolOutline).declarations);
  const old = places.map(({ start, end }) => before.slice(start, end));
  const lines = [countLines(old), countLines(edits.map((edit) => edit.text))] as const;
  const what = `${formatSymbolPath(target.path)} in ${name}`;
  const count = `${lines[0]} -> ${lines[1]} lines`;
  const done = isRemoved ? `Deleted ${what} (${formatQuantity(lines[0], 'line')})` : `Edited ${what} (${count})`;
  const isSame = before === text;
  return planModules({
    base,
    files: isSame ? [] : [{ path, before, after: text, expected: hash, action: 'edit', lines }],
    how: { check, strict, instead: `<R:${formatAddress(target)}>` },
    output: isSame
      ? { text: `${done}: it is so already, nothing was written` }
      : { text: `${done}\n${renderShortDiff(before, text)}`, hint: count },
  });
}

function requireContent({ content = '', delete: isRemoved }: EditRequest, target: SymbolTarget): string {
  const isMissing = content.trim() === '';
  if (isRemoved ? isMissing : !isMissing) return content;
  const name = formatSymbolPath(target.path);
  const address = formatAddress(target);
  const removal = `<E:${address} delete=true></E>`;
  if (isRemoved) {
    const fact = `delete=true takes no text, and one was sent for ${name}: send one of the two.`;
    throw new EditError(`${fact} Nothing was changed.`, [removal, `<E:${address}>…</E>`]);
  }
  const fact = `the new text of ${name} is missing: send it between the tags, or add delete=true.`;
  throw new EditError(`${fact} Nothing was changed.`, [`<R:${address}>`, removal]);
}

function countLines(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + splitLines(part).length, 0);
}

/** The file that an edit changes, below the root and without links: what rules over consent are compared with. */
export async function findEditedPath(base: CodeBase, argument: string, { definition }: ToolContext): Promise<string> {
  const address = splitEditTarget(argument).target.replace(/[.#]import$/, '');
  const target = await resolveAddress(base, { address, definition });
  if (target.kind === 'folder') return target.folder.index?.path ?? '';
  return (await base.root.info(target.source.module.path)).path;
}

/**
 * Splits a line range off the address of an edit. Its tool declares none, which would add it to every example; but the
 * error for a range names the symbol that it is in.
 */
export function splitEditTarget(argument: string): { readonly target: string; readonly range?: LineRange } {
  const split = splitRange(argument);
  return 'error' in split || split.range === null ? { target: argument } : { target: split.target, range: split.range };
}

async function resolveEditTarget(base: CodeBase, argument: string, { definition }: ToolContext): Promise<SymbolTarget> {
  const { target: address, range } = splitEditTarget(argument);
  const target = (await resolveFirstImports(base, address)) ?? (await resolveAddress(base, { address, definition }));
  if (target.kind === 'folder') {
    const { name } = target.folder;
    throw new EditError(`${name === '' ? 'the project' : name} is a folder; edit changes one symbol.`, [`<R:${name}>`]);
  }
  if (range !== undefined) throw createRangeError(target, range);
  if (target.kind === 'symbol') return target;
  const { module, outline } = target.source;
  const first = outline.symbols.find(({ kind }) => kind !== 'imports');
  throw new EditError(`${module.name} is a module; edit changes one symbol, write the whole.`, [
    first === undefined ? `<R:${module.name}>` : `<E:${module.name}.${first.name}>`,
    `<W:${module.name} overwrite=true>…</W>`,
  ]);
}

/** The place for the first imports of a module without any: its beginning. Undefined for every other address. */
async function resolveFirstImports(base: CodeBase, address: string): Promise<SymbolTarget | undefined> {
  const [, owner] = /^(.+)[.#]import$/s.exec(address.trim()) ?? [];
  if (owner === undefined) return undefined;
  const module = (await base.catalog()).findModule(owner);
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
function createRangeError({ source }: Exclude<Target, { kind: 'folder' }>, [first, last]: LineRange): EditError {
  const lines = new TextLines(source.text);
  const at = lines.startOf(first) + (/^\s*/.exec(lines.all[first - 1] ?? '')?.[0].length ?? 0);
  const path = findInnermostSymbol(source.outline.symbols, at);
  const tag = `<R:${formatAddress({ source, path })}>`;
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

/** A module after a change of one symbol. */
interface ChangedModule {
  readonly target: SymbolTarget;
  readonly after: Outline;
  /** True when the symbol itself is removed. */
  readonly isRemoved: boolean;
  /** True when the symbol itself may disappear, or be no longer exported. */
  readonly mayLose: boolean;
}

/** Refuses a change that breaks a module, or removes other names than that of its symbol. */
export function refuseLoss({ target, after, isRemoved, mayLose }: ChangedModule): void {
  const { module, outline } = target.source;
  const name = formatSymbolPath(target.path);
  const tag = `<R:${formatAddress(target)}>`;
  if (after.problem !== undefined && outline.problem === undefined) {
    const { line, message } = after.problem;
    throw new ParseError(
      `${module.name} would not parse with the new ${name}: line ${line}: ${message}. Nothing was changed.`,
      [tag],
    );
  }
  const renameTag = `<E:${formatAddress(target)} rename=true>`;
  const kept = new Set(listDeclaredNames(after.symbols));
  // The members of the symbol itself may disappear.
  const lost = listDeclaredNames(outline.symbols).filter(
    (one) => !kept.has(one) && !one.startsWith(`${name}.`) && !(mayLose && one === name),
  );
  if (lost.includes(name)) {
    throw new EditError(
      `the new text does not define ${name}. Keep the name, or add rename=true. Nothing was changed.`,
      [tag, renameTag],
    );
  }
  if (lost.length > 0) {
    const fact = `${lost.join(', ')} would be lost with it.`;
    if (!isRemoved) throw new EditError(`${fact} Send all that is declared there. Nothing was changed.`, [tag]);
    const remedy = 'Send what is to stay of the declaration, with rename=true. Nothing was changed.';
    throw new EditError(`${fact} ${remedy}`, [tag, `${renameTag}…</E>`]);
  }
  const [first, ...inside] = target.path;
  const now = after.symbols.find((symbol) => symbol.name === first?.name);
  if (mayLose || inside.length > 0 || first?.exported !== true || now?.exported !== false) return;
  throw new EditError(
    `${name} would no longer be exported. Begin with export, or add rename=true. Nothing was changed.`,
    [tag, renameTag],
  );
}

function listDeclaredNames(symbols: readonly SymbolOutline[], prefix = ''): readonly string[] {
  return symbols.flatMap((symbol) => {
    const name = prefix + symbol.name;
    return [name, ...listDeclaredNames(symbol.members, `${name}.`)];
  });
}
