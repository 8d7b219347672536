import { ConflictError, type LineRange, LineRangeError, type ToolContext } from '@bae/core';
import { splitRange } from '@bae/core/pipeline';
import {
  formatLineChange,
  changeText,
  EditError,
  formatQuantity,
  readEditBlocks,
  renderRange,
  SeenFiles,
  splitLines,
} from '@bae/workspace';
import { findByName, findTarget } from '../address/find-by-name.ts';
import { findTargets } from '../address/find-targets.ts';
import { resolveAddress } from '../address/resolve-address.ts';
import {
  formatAddress,
  formatSymbolPath,
  formatTargetAddress,
  getAddressName,
  type SymbolTarget,
  translatePath,
} from '../address/target.ts';
import {
  findNewSymbolPlace,
  planAddition,
  removeSymbol,
  replaceSymbol,
  type SymbolOwner,
  trimText,
} from './place-symbol.ts';
import { type ModuleChange, planPart, refuseStaleModule, refuseSyntaxError } from './module-change.ts';
import { applyEdits, joinDeclarations, type Outline, type SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { ArgsOf } from '../params.ts';
import { loadIndex } from '../read/read-target.ts';
import { findTargetLines, makeTextTag, TextLines } from '../read/read-symbol.ts';

/** The parts of an edit request that determine its place: the target, and the content if the edit adds a new symbol. */
export type EditPlace = Pick<ArgsOf<'edit'>, 'target'> & Partial<ArgsOf<'edit'>>;
type EditRequest = Partial<ArgsOf<'edit'>> & Pick<ArgsOf<'edit'>, 'target' | 'strict' | 'rename' | 'delete'>;

/**
 * Plans to change one symbol, or lines or parts of its text, or to insert something next to it, and nothing else in its
 * module. Lines and parts may also belong to a module.
 *
 * @throws ResourceError when nothing has the address; EditError when it is not clear what to change, or a name would be
 *   lost; LineRangeError when it does not contain the lines; ParseError when the new text is not well formed;
 *   ConflictError when the file differs from the version that the session has read
 */
export async function planEdit(base: CodeBase, request: EditRequest, context: ToolContext): Promise<ModuleChange> {
  const { target: address, range } = splitEditTarget(request.target);
  const { old, content = '' } = request;
  const isByText = old !== undefined || (range === undefined && readEditBlocks(content, address) !== undefined);
  if (range !== undefined || isByText) return planPartEdit(base, { ...request, target: address, range }, context);
  const addition = await locateAddition(base, { ...request, target: address });
  if (addition !== undefined) return planAddition(base, addition, context);
  const target = await resolveEditTarget(base, address, context);
  if (request.before === true || request.after === true) return planInsertion(base, { target, request }, context);
  return planSymbolEdit(base, { target, request }, context);
}

/** Returns the addition for a text that defines a symbol under an unused address; undefined for other edits. */
async function locateAddition(base: CodeBase, { target, content = '', strict = false, ...how }: EditPlace) {
  const given = target.trim();
  if (content.trim() === '' || how.delete === true || how.before === true || how.after === true) return undefined;
  // `src/a.ts#Name` is a symbol, with the path of its module.
  const address = (/[/\\#:]/.test(given) ? translatePath(given, await base.catalog()) : undefined) ?? given;
  const isKnown = (await findTarget(base, address)) ?? (await resolveFirstImports(base, address));
  if (isKnown !== undefined || (await findByName(base, given)).length > 0) return undefined;
  const [inner] = await findTargets(base, given);
  if (inner?.kind === 'symbol' && (await canReplace(base, inner, content))) return undefined;
  const place = await findNewSymbolPlace(base, address);
  if (place === undefined) return undefined;
  const { owner, name } = place;
  const symbols = await parsePiece(base, content, owner);
  return symbols.some((symbol) => getAddressName(symbol) === name) ? { owner, name, content, strict } : undefined;
}

/** Tests whether a text defines the name of a symbol in its place. */
async function canReplace(base: CodeBase, { source, path }: SymbolTarget, content: string): Promise<boolean> {
  const { name, place } = path.at(-1) as SymbolOutline;
  const symbols = await parsePiece(base, content, { source, place });
  return symbols.some((symbol) => symbol.name === name);
}

/** Returns what a text defines as a part of a module or symbol. */
async function parsePiece(base: CodeBase, content: string, { source, place }: Pick<SymbolOwner, 'source' | 'place'>) {
  const { path } = source.module;
  return (await base.index.languages.readerOf(path)).parse({ text: trimText(content), path }, place).symbols;
}

interface SymbolEdit {
  readonly target: SymbolTarget;
  readonly request: EditRequest;
}

function planInsertion(base: CodeBase, { target, request }: SymbolEdit, context: ToolContext): Promise<ModuleChange> {
  const { source, path } = target;
  const { content = '', strict } = request;
  const symbol = path.at(-1) as SymbolOutline;
  const tag = `<E:${formatAddress(target)} after=true>…</E>`;
  if (request.before === true && request.after === true)
    throw new EditError('give either before or after, not both.', [tag]);
  if (content.trim() === '') throw new EditError('the text to insert is missing: send it between the tags.', [tag]);
  const owner = { source, path: path.slice(0, -1), place: symbol.place };
  const beside = { symbol, side: request.before === true ? 'before' : 'after' } as const;
  return planAddition(base, { owner, beside, content, strict }, context);
}

/** Plans to replace lines, or parts of the text, of a symbol or module. */
async function planPartEdit(
  base: CodeBase,
  request: EditRequest & { readonly range: LineRange | undefined },
  context: ToolContext,
): Promise<ModuleChange> {
  const { range, strict, every = false } = request;
  const found = await resolveAddress(base, { address: request.target, definition: context.definition });
  // The text of a folder is that of its index.
  const target = found.kind === 'folder' ? await loadIndex(base, found.folder) : found;
  if (target === undefined) throw createFolderError(formatTargetAddress(found));
  const { source } = target;
  const { text: before, module } = source;
  const { path } = module;
  const lines = new TextLines(before);
  const within = findTargetLines(target, lines);
  const name = formatAddress(target);
  const view = new SeenFiles(context).view(path);
  const tag = makeTextTag(target, context);
  if (range !== undefined && view.base === undefined)
    throw new ConflictError(`${name} was not read in this session. Read it first.`, [tag]);
  refuseStaleModule(target, context, name);
  // Lines are numbered as in the file; parts are searched for in the symbol only.
  const [from, to] =
    range === undefined ? [lines.startOf(within[0]), lines.startOf(within[1] + 1)] : [0, before.length];
  const edited = { text: before.slice(from, to), range, view, name };
  const change = changeText({ ...request, every }, edited, context);
  if (range !== undefined && (change.first < within[0] || change.first + change.removed - 1 > within[1])) {
    const asked = renderRange(range[0], range[1] ?? within[1]);
    throw new LineRangeError(`${name} is lines ${renderRange(...within)} of its module; asked for ${asked}.`, [tag]);
  }
  const after = before.slice(0, from) + change.text + before.slice(to);
  const outline = (await base.index.languages.readerOf(path)).outline({ text: after, path, inner: source.inner });
  if (target.kind === 'symbol') refuseLoss(target, outline, { rename: request.rename, delete: false });
  else refuseSyntaxError(source, outline, { what: `the new ${name}`, tag: `<R:${name}>` });
  const hint = formatLineChange(change.removed, change.added);
  const blanks = change.forgiven === undefined ? '' : '; blanks differed';
  const numbers = change.unnumbered === true ? '; without the line numbers in front of the new lines' : '';
  return planPart({
    base,
    source,
    after,
    lines: [change.removed, change.added],
    how: { strict, instead: `<R:${name}>` },
    done: `Edited ${name} (${hint}${blanks}${numbers})`,
    unchanged: `${name} is already like that, nothing was written`,
    hint,
  });
}

function createFolderError(name: string): EditError {
  return new EditError(`${name === '' ? 'the project' : name} is a folder; edit changes one symbol.`, [`<R:${name}>`]);
}

async function planSymbolEdit(
  base: CodeBase,
  { target, request }: SymbolEdit,
  context: ToolContext,
): Promise<ModuleChange> {
  const { delete: isRemoved, strict } = request;
  const content = requireContent(request, target);
  const { source } = target;
  const { path, name } = source.module;
  refuseStaleModule(target, context);
  const language = await base.index.languages.readerOf(path);
  const edits = isRemoved ? removeSymbol(target) : replaceSymbol(target, content, language);
  const after = applyEdits(source.text, edits);
  refuseLoss(target, language.outline({ text: after, path, inner: source.inner }), request);
  const symbol = target.path.at(-1) as SymbolOutline;
  const places = isRemoved ? joinDeclarations(source.text, symbol.declarations) : edits;
  const old = places.map(({ start, end }) => source.text.slice(start, end));
  const lines = [countLines(old), countLines(edits.map((edit) => edit.text))] as const;
  const what = `${formatSymbolPath(target.path)} in ${name}`;
  const hint = formatLineChange(...lines);
  const done = isRemoved ? `Deleted ${what} (${formatQuantity(lines[0], 'line')})` : `Edited ${what} (${hint})`;
  const unchanged = `${done}: it is already like that, nothing was written`;
  const how = { strict, instead: `<R:${formatAddress(target)}>` };
  return planPart({ base, source, after, lines, how, done, unchanged, hint });
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

/**
 * Returns the file that an edit changes, relative to the root and with links resolved: approval rules are compared with
 * it.
 */
export async function findEditedPath(base: CodeBase, request: EditPlace, { definition }: ToolContext): Promise<string> {
  const { target: given } = splitEditTarget(request.target);
  const addition = await locateAddition(base, { ...request, target: given });
  if (addition !== undefined) return (await base.root.info(addition.owner.source.module.path)).path;
  const address = given.replace(/[.#]import$/, '');
  const target = await resolveAddress(base, { address, definition });
  if (target.kind === 'folder') return target.folder.index?.path ?? '';
  return (await base.root.info(target.source.module.path)).path;
}

/**
 * Splits a line range off the address of an edit. Its tool does not declare one, as that would add it to every example.
 */
export function splitEditTarget(argument: string): { readonly target: string; readonly range?: LineRange } {
  const split = splitRange(argument);
  return 'error' in split || split.range === null ? { target: argument } : { target: split.target, range: split.range };
}

async function resolveEditTarget(base: CodeBase, address: string, { definition }: ToolContext): Promise<SymbolTarget> {
  const target = (await resolveFirstImports(base, address)) ?? (await resolveAddress(base, { address, definition }));
  if (target.kind === 'folder') throw createFolderError(target.folder.name);
  if (target.kind === 'symbol') return target;
  const { module, outline } = target.source;
  const first = outline.symbols.find(({ kind }) => kind !== 'imports');
  throw new EditError(`${module.name} is a module; edit changes one symbol, write the whole.`, [
    first === undefined ? `<R:${module.name}>` : `<E:${module.name}.${first.name}>`,
    `<W:${module.name} overwrite=true>…</W>`,
  ]);
}

/**
 * Returns the place for the first imports of a module without any: its beginning. Undefined for every other address.
 */
async function resolveFirstImports(base: CodeBase, address: string): Promise<SymbolTarget | undefined> {
  const [, owner] = /^(.+)[.#]import$/s.exec(address.trim()) ?? [];
  if (owner === undefined) return undefined;
  const module = (await base.catalog()).findModule(owner);
  if (module === undefined) return undefined;
  const source = await base.index.load(module);
  const { problem, symbols } = source.outline;
  if (problem !== undefined || symbols.some(({ kind }) => kind === 'imports')) return undefined;
  const top = /^\uFEFF?(?:#!.*\r?\n)?/.exec(source.text)?.[0].length ?? 0;
  const start = source.outline.body?.start ?? top;
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

/** Refuses a change that breaks a module, or removes names other than that of its symbol. */
export function refuseLoss(
  target: SymbolTarget,
  after: Outline,
  { rename, delete: isRemoved }: Pick<EditRequest, 'rename' | 'delete'>,
): void {
  const { source, path } = target;
  const name = formatSymbolPath(path);
  const tag = `<R:${formatAddress(target)}>`;
  refuseSyntaxError(source, after, { what: `the new ${name}`, tag });
  // A default export is addressed by the name that its module gives it.
  const declared = path.map((symbol) => symbol.name).join('.');
  const mayLose = rename || isRemoved;
  const renameTag = `<E:${formatAddress(target)} rename=true>`;
  const kept = new Set(listDeclaredNames(after.symbols));
  // The members of the symbol itself may disappear.
  const lost = listDeclaredNames(source.outline.symbols).filter(
    (one) => !kept.has(one) && !one.startsWith(`${declared}.`) && !(mayLose && one === declared),
  );
  if (lost.includes(declared)) {
    throw new EditError(
      `the new text does not define ${name}. Keep the name, or add rename=true. Nothing was changed.`,
      [tag, renameTag],
    );
  }
  if (lost.length > 0) {
    const fact = `${lost.join(', ')} would be lost with it.`;
    if (!isRemoved) throw new EditError(`${fact} Send everything that is declared there. Nothing was changed.`, [tag]);
    const remedy = 'Send the part of the declaration to keep, with rename=true. Nothing was changed.';
    throw new EditError(`${fact} ${remedy}`, [tag, `${renameTag}…</E>`]);
  }
  const [first, ...inside] = path;
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
