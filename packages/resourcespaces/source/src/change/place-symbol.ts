import type { ToolContext } from '@bae/core';
import { EditError, formatQuantity, renderRange, splitLines } from '@bae/workspace';
import { findByName, findTarget } from '../address/find-by-name.ts';
import {
  type CodeTarget,
  formatAddress,
  formatSymbolPath,
  getAddressName,
  splitSymbolPath,
  type SymbolTarget,
} from '../address/target.ts';
import {
  createParseError,
  type ModuleChange,
  planPart,
  refuseStaleModule,
  refuseSyntaxError,
} from './module-change.ts';
import {
  applyEdits,
  findIndent,
  findLineBreak,
  isListed,
  joinDeclarations,
  type LanguageReader,
  type Piece,
  type Span,
  type Surroundings,
  type SymbolOutline,
  type TextEdit,
} from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { isPrivateMember, TextLines } from '../read/read-symbol.ts';

/** The owner of a new symbol: a module, or a symbol that has members. */
export interface SymbolOwner extends CodeTarget {
  /** The syntactic surroundings of the text in its owner. */
  readonly place: Surroundings;
}

const PLACES: Readonly<Partial<Record<SymbolOutline['kind'], Surroundings>>> = {
  class: 'class',
  interface: 'interface',
  enum: 'enum',
  namespace: 'module',
};

/** Returns the owner and name for a new symbol with an address; undefined if no owner can take it. */
export async function findNewSymbolPlace(base: CodeBase, address: string) {
  const names = splitSymbolPath(address.replace(/(?<=[\w$])#/, '.')) ?? [];
  const name = names.at(-1) ?? '';
  const owner = names.length < 2 ? undefined : await findOwnerAt(base, names.slice(0, -1).join('.'));
  return owner && { name, owner };
}

/** Finds the owner of a new symbol: a module that does not represent a folder, or a symbol with members. */
async function findOwnerAt(base: CodeBase, address: string): Promise<SymbolOwner | undefined> {
  const exact = await findTarget(base, address);
  const [found, ...others] = exact === undefined ? await findByName(base, address) : [exact];
  if (found === undefined || others.length > 0 || found.kind === 'folder') return undefined;
  if (found.kind === 'symbol') return getOwner(found);
  const { module } = found.source;
  const isFolder = module.isIndex || (await base.catalog()).folder(module.name) !== undefined;
  return isFolder || exact === undefined ? undefined : { source: found.source, path: [], place: 'module' };
}

/** Returns a symbol as the owner of its members; undefined for a symbol that cannot have any. */
function getOwner({ source, path }: SymbolTarget): SymbolOwner | undefined {
  const symbol = path.at(-1) as SymbolOutline;
  const place = symbol.members.find((member) => member.place !== 'function')?.place ?? PLACES[symbol.kind];
  return place && { source, path, place };
}

interface Addition {
  readonly owner: SymbolOwner;
  /** The name that the text has to define; absent if any name is allowed. */
  readonly name?: string;
  readonly beside?: { readonly symbol: SymbolOutline; readonly side: 'before' | 'after' };
  readonly content: string;
  readonly strict: boolean;
}

/**
 * Plans to add a declaration at the end of a module, or a member to a class, interface, enum or object, after the
 * members with the same visibility (public or private).
 *
 * @throws EditError when the text does not define the name; ParseError when it is not well formed there; ConflictError
 *   when the session has read the module and it has changed since
 */
export async function planAddition(base: CodeBase, addition: Addition, context: ToolContext): Promise<ModuleChange> {
  const { owner, content, strict, beside } = addition;
  const { source, place } = owner;
  const { module, text: before } = source;
  const { path } = module;
  const address = formatAddress(owner);
  refuseStaleModule(owner, context);
  const language = await base.index.languages.readerOf(path);
  const text = trimText(content);
  const piece = language.parse({ text, path }, place);
  const defined = piece.symbols.map(getAddressName);
  const name = addition.name ?? defined.join(', ');
  if (piece.problem !== undefined) {
    const fact = `the text of ${name} does not parse as a part of ${address}`;
    throw createParseError(fact, piece.problem, [`<R:${address}>`, `<W:${address}.${name} as=module>…</W>`]);
  }
  if (addition.name !== undefined && !defined.includes(name)) {
    const found = defined.length === 0 ? 'nothing' : defined.join(', ');
    const remedy = `Write it under the name that it defines, or with as=module as a new module.`;
    throw new EditError(`the text does not define ${name}, but ${found}. ${remedy} Nothing was changed.`, [
      `<W:${address}.${defined[0] ?? name}>…</W>`,
    ]);
  }
  const fit = (indent: string) => fitText(text, { indent, lineBreak: findLineBreak(before) }, piece.literals);
  const after = applyEdits(before, [
    beside === undefined ? insertSymbol(owner, name, fit) : insertBeside(owner, beside, fit),
  ]);
  refuseSyntaxError(source, language.outline({ text: after, path, inner: source.inner }), {
    what: 'it',
    tag: `<R:${address}>`,
  });
  const lines = splitLines(text).length;
  const hint = formatQuantity(lines, 'line');
  const done = `Added ${name} to ${address} (${hint})`;
  const how = { strict, instead: `<R:${address}>` };
  return planPart({ base, source, after, lines: [0, lines], how, done, unchanged: done, hint });
}

/** Returns the edit that inserts a new symbol, with its text indented to fit. */
function insertSymbol(owner: SymbolOwner, name: string, fit: (indent: string) => string): TextEdit {
  const { source, path, place } = owner;
  const { text } = source;
  const lineBreak = findLineBreak(text);
  const symbol = path.at(-1);
  if (symbol === undefined) {
    const { start, end } = source.outline.body ?? { start: 0, end: text.length };
    const gap = end === start || text[end - 1] === '\n' ? '' : lineBreak;
    const lead = text.slice(start, end).trim() === '' ? '' : lineBreak;
    // In a function around the script, or an indented part of a component.
    const first = source.outline.symbols.find(({ kind }) => kind !== 'imports')?.declarations[0];
    const indent = first === undefined ? '' : findIndent(text, first.start);
    return { start: end, end, text: `${gap}${lead}${indent}${fit(indent)}${end === text.length ? lineBreak : ''}` };
  }
  const members = symbol.members.filter((member) => member.declarations.length > 0 && member.place === place);
  // The new member goes after those with the same visibility, public or private.
  const isPrivate = name.startsWith('#');
  const before = members.findLast((member) => isPrivateMember(member, text) === isPrivate) ?? members.at(-1);
  if (before === undefined) return insertFirst(symbol, text, fit);
  return insertBeside(owner, { symbol: before, side: 'after' }, fit);
}

function insertBeside(
  { source: { text } }: SymbolOwner,
  { symbol, side }: NonNullable<Addition['beside']>,
  fit: (indent: string) => string,
): TextEdit {
  const lineBreak = findLineBreak(text);
  const [first, last] = [symbol.declarations[0]!, symbol.declarations.at(-1)!];
  const indent = findIndent(text, first.start);
  const isInList = isListed(symbol);
  const body = isInList ? fit(indent).replace(/,$/, '') : fit(indent);
  // Members that span several lines are separated by an empty line.
  const gap = isInList || !`${body}${text.slice(first.start, last.end)}`.includes('\n') ? '' : lineBreak;
  if (side === 'before') {
    const separator = isInList ? ',' : '';
    return { start: first.start, end: first.start, text: `${body}${separator}${lineBreak}${gap}${indent}` };
  }
  const comma = isInList ? /^\s*,/.exec(text.slice(last.end)) : null;
  const end = last.end + (comma?.[0].length ?? 0);
  const separator = isInList && comma === null ? ',' : '';
  return { start: end, end, text: `${separator}${lineBreak}${gap}${indent}${body}${comma === null ? '' : ','}` };
}

/** Returns the edit that inserts the first member, before the closing brace of its owner. */
function insertFirst(owner: SymbolOutline, text: string, fit: (indent: string) => string): TextEdit {
  const lineBreak = findLineBreak(text);
  const { start, end } = owner.declarations.at(-1)!;
  const brace = text.lastIndexOf('}', end - 1);
  if (brace < start || /['"\n]/.test(text.slice(brace, end)))
    throw new EditError(`${owner.name} has no members yet: write it again with the new one. Nothing was changed.`, [
      `<E:${owner.name}>…</E>`,
    ]);
  const indent = findIndent(text, start);
  const from = text.slice(0, brace).trimEnd().length;
  const inner = `${indent}${/\n\t/.test(text) ? '\t' : '  '}`;
  return { start: from, end: brace, text: `${lineBreak}${inner}${fit(inner)}${lineBreak}${indent}` };
}

/** Returns the edits that remove a symbol: whole lines if they contain nothing else. */
export function removeSymbol({ source: { text }, path }: SymbolTarget): readonly TextEdit[] {
  const symbol = path.at(-1) as SymbolOutline;
  return joinDeclarations(text, symbol.declarations).map((span) => {
    const comma = isListed(symbol) ? (/^\s*,/.exec(text.slice(span.end))?.[0].length ?? 0) : 0;
    return { ...expandToLines(text, { start: span.start, end: span.end + comma }), text: '' };
  });
}

function expandToLines(text: string, { start, end }: Span): Span {
  const before = /(^|\n)[^\S\n]*$/.exec(text.slice(0, start));
  const after = /^[^\S\n]*(?:\n|$)/.exec(text.slice(end));
  if (before === null || after === null) return { start, end };
  const from = before.index + (before[1] as string).length;
  const to = end + after[0].length;
  const above = text.slice(0, from);
  const below = text.slice(to);
  // One adjacent empty line is removed too, and none remains after an opening or before a closing brace.
  const emptyAbove = /(?:^|\n)([^\S\n]*\r?\n)$/.exec(above)?.[1] ?? '';
  const emptyBelow = /^[^\S\n]*\r?\n/.exec(below)?.[0] ?? '';
  if (emptyBelow !== '' && (emptyAbove !== '' || /(?:^|[{[(]\s*)$/.test(above)))
    return { start: from, end: to + emptyBelow.length };
  if (emptyAbove !== '' && /^\s*(?:[}\])]|$)/.test(below)) return { start: from - emptyAbove.length, end: to };
  return { start: from, end: to };
}

/**
 * Returns the edits that replace a symbol with another text.
 *
 * @throws ParseError when the text is not well formed by itself; EditError when it has fewer or more declarations than
 *   a symbol that is declared in several places
 */
export function replaceSymbol(target: SymbolTarget, body: string, language: LanguageReader): readonly TextEdit[] {
  const { source, path } = target;
  const symbol = path.at(-1) as SymbolOutline;
  const { path: file } = source.module;
  const trimmed = trimText(body);
  const text = isListed(symbol) ? trimmed.replace(/,$/, '') : trimmed;
  const piece = language.parse({ text, path: file }, symbol.place);
  const tags = [`<R:${formatAddress(target)}>`];
  if (piece.problem !== undefined)
    throw createParseError(`the new text of ${formatSymbolPath(path)} does not parse`, piece.problem, tags);
  if (symbol.kind === 'imports' && piece.symbols.some(({ kind }) => kind !== 'imports'))
    throw new EditError('only imports can take the place of the imports. Nothing was changed.', tags);
  const places = joinDeclarations(source.text, symbol.declarations);
  return splitParts(target, text, piece).map((part, index) => {
    const place = places[index] as Span;
    const { end } = place;
    const start = COMMENTED.test(part) ? place.start : findBehindDoc(source.text, place, symbol);
    const old = source.text.slice(start, end);
    const indent = findIndent(source.text, place.start);
    const plain = normalizeBreaks(part);
    // If only line breaks and indentation differ, the old text stays.
    if (plain === normalizeBreaks(old) || plain === normalizeBreaks(indent + old)) return { start, end, text: old };
    const lineBreak = findLineBreak(old.includes('\n') ? old : source.text);
    const { literals } = language.parse({ text: part, path: file }, symbol.place);
    const fitted = fitText(part, { indent, lineBreak }, literals);
    // Inserted text gets a line of its own.
    return { start, end, text: start === end ? fitted + lineBreak : fitted };
  });
}

/** Text that brings a comment of its own. */
const COMMENTED = /^\s*(?:\/[*/]|#(?![\w$]))/;

/** Returns where a declaration begins behind its doc comment, which stays; its start if it has none before it. */
function findBehindDoc(text: string, { start }: Span, { declarations }: SymbolOutline): number {
  const { doc } = declarations.find((one) => one.start === start) ?? {};
  return doc?.start === start ? doc.end + (/^\s*/.exec(text.slice(doc.end))?.[0].length ?? 0) : start;
}

function normalizeBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Divides a new text among the declarations of a symbol: each place gets as many declarations as it has now. */
function splitParts(target: SymbolTarget, text: string, piece: Piece): readonly string[] {
  const { source, path } = target;
  const symbol = path.at(-1) as SymbolOutline;
  const places = joinDeclarations(source.text, symbol.declarations);
  if (places.length === 1) return [text];
  const written = piece.symbols.find(({ name, localName }) => name === symbol.name || localName === symbol.name);
  const found = written?.declarations ?? [];
  const count = symbol.declarations.length;
  if (found.length !== count) {
    const lines = new TextLines(source.text);
    const ranges = places.map(({ start, end }) => renderRange(lines.lineAt(start), lines.lineAt(end - 1)));
    throw new EditError(
      `${formatSymbolPath(path)} is declared ${count} times in ${source.module.name} (lines ${ranges.join(' and ')}), and the new text has ${found.length} of it. Send all ${count}, in this order. Nothing was changed.`,
      [`<R:${formatAddress(target)}>`],
    );
  }
  let at = 0;
  let from = 0;
  return places.map((place, index) => {
    at += symbol.declarations.filter(({ start, end }) => start >= place.start && end <= place.end).length;
    const isLast = index === places.length - 1;
    const end = isLast ? text.length : found[at - 1]!.end - piece.offset;
    const part = text.slice(from, end);
    // The next part begins with the line of its declaration.
    from = isLast ? end : text.lastIndexOf('\n', found[at]!.start - piece.offset - 1) + 1;
    return part.trimEnd();
  });
}

/** Removes the empty lines around a text. */
export function trimText(text: string): string {
  return text.replace(/^(?:[^\S\n]*\r?\n)+/, '').trimEnd();
}

/**
 * Fits a text into a place: shifts all lines, except those that begin in a literal, by the same amount as the first
 * line, which comes without its indentation, and uses the line breaks of the place.
 */
export function fitText(
  text: string,
  { indent, lineBreak }: Readonly<Record<'indent' | 'lineBreak', string>>,
  literals: readonly Span[],
): string {
  const lines = text.split(/\r?\n/);
  const own = readIndent(lines[0] as string);
  const isInPlace = own === indent || isIndentedFor(lines, indent);
  let at = 0;
  const moved = lines.map((line, number) => {
    const start = at;
    at = text.indexOf('\n', at) + 1;
    if (number === 0) return line.slice(own.length);
    const isValue = literals.some((span) => span.start < start && start <= span.end);
    return isInPlace || isValue ? line : moveLine(line, own, indent);
  });
  return moved.join(lineBreak);
}

function moveLine(line: string, from: string, to: string): string {
  if (line.trim() === '') return line.trim();
  if (line.startsWith(from)) return to + line.slice(from.length);
  const less = readIndent(line);
  return to.slice(0, Math.max(0, to.length - (from.length - less.length))) + line.slice(less.length);
}

/** Returns true for a text that was cut out of its place, so that only its first line lost its indentation. */
function isIndentedFor(lines: readonly string[], indent: string): boolean {
  if (indent === '' || lines.length === 1 || readIndent(lines[0] as string) !== '') return false;
  const last = lines.at(-1) as string;
  const others = lines.slice(1).filter((line) => line.trim() !== '');
  if (!others.every((line) => line.startsWith(indent))) return false;
  // In its place, a line that continues the first one has a deeper indentation.
  if (/[:=>({[]$/.test((lines[0] as string).trimEnd()) && readIndent(others[0] ?? '') === indent) return false;
  // A closing bracket is aligned with the first line.
  return /^\s*[)}\]]/.test(last) ? readIndent(last) === indent : others.every((line) => readIndent(line) !== indent);
}

function readIndent(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}
