import { EditError, formatQuantity, refuseStale, SeenFiles, splitLines } from '@bae/workspace';
import type { ToolContext } from '@bae/core';
import { formatAddress, type SymbolTarget } from '../address/target.ts';
import { type CheckChange, type ModuleChange, planModules, renderShortDiff } from './module-change.ts';
import { fitText, trimText } from './replace-symbol.ts';
import { ParseError } from '../errors.ts';
import { applyEdits, findIndent, type Surroundings, type SymbolOutline, type TextEdit } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { isPrivateMember, makeModuleTextTag, makeSymbolTextTag } from '../read/read-symbol.ts';

/** What a new symbol becomes a part of: a module, or a symbol that has members. */
export interface SymbolOwner {
  readonly source: SourceModule;
  /** Empty for the module itself. */
  readonly path: readonly SymbolOutline[];
  /** What the text is part of there. */
  readonly place: Surroundings;
}

const PLACES: Readonly<Partial<Record<SymbolOutline['kind'], Surroundings>>> = {
  class: 'class',
  interface: 'interface',
  enum: 'enum',
  namespace: 'module',
};

/** The owner that a symbol would be of its members; undefined for one that has none. */
export function getOwner({ source, path }: SymbolTarget): SymbolOwner | undefined {
  const symbol = path.at(-1) as SymbolOutline;
  const place = symbol.members[0]?.place ?? PLACES[symbol.kind];
  return place && { source, path, place };
}

interface Addition {
  readonly owner: SymbolOwner;
  /** The name that the text has to define; absent for any. */
  readonly name?: string;
  /** What it is to stand beside. Default: behind the last member that is public or private as it is. */
  readonly beside?: { readonly symbol: SymbolOutline; readonly side: 'before' | 'after' };
  readonly content: string;
  readonly strict: boolean;
  readonly check: CheckChange | undefined;
}

/**
 * Plans to add a declaration to a module, at its end, or a member to a class, interface, enum or object, behind those
 * that are public or private as it is.
 *
 * @throws EditError when the text does not define the name; ParseError when it is not well formed there; ConflictError
 *   when the session has read the module and it has changed since
 */
export async function planAddition(base: CodeBase, addition: Addition, context: ToolContext): Promise<ModuleChange> {
  const { owner, content, strict, check, beside } = addition;
  const { source, path: symbols, place } = owner;
  const { module, text: before, hash } = source;
  const { path } = module;
  const address = formatAddress({ source, path: symbols });
  const tag = symbols.length === 0 ? makeModuleTextTag(source) : makeSymbolTextTag(toTarget(owner), context);
  refuseStale(new SeenFiles(context).view(path), { name: module.name, tag }, source);
  const language = await base.index.language;
  const text = trimText(content);
  const piece = language.parse({ text, path }, place);
  const defined = piece.symbols.map((symbol) => symbol.localName ?? symbol.name);
  const name = addition.name ?? defined.join(', ');
  if (piece.problem !== undefined) {
    const { line, message } = piece.problem;
    const fact = `the text of ${name} does not parse as a part of ${address}: line ${line}: ${message}.`;
    throw new ParseError(`${fact} Nothing was changed.`, [`<R:${address}>`, `<W:${address}.${name} as=module>…</W>`]);
  }
  if (addition.name !== undefined && !defined.includes(name)) {
    const found = defined.length === 0 ? 'nothing' : defined.join(', ');
    const remedy = `Write it under the name that it defines, or with as=module as a new module.`;
    throw new EditError(`the text does not define ${name}, but ${found}. ${remedy} Nothing was changed.`, [
      `<W:${address}.${defined[0] ?? name}>…</W>`,
    ]);
  }
  const literals = language.literals({ text, path }, place);
  const fit = (indent: string) =>
    fitText(text, { indent, lineBreak: before.includes('\r\n') ? '\r\n' : '\n' }, literals);
  const after = applyEdits(before, [
    beside === undefined ? insertSymbol(owner, name, fit) : insertBeside(owner, beside, fit),
  ]);
  const outline = language.outline({ text: after, path });
  if (outline.problem !== undefined && source.outline.problem === undefined) {
    const { line, message } = outline.problem;
    throw new ParseError(`${module.name} would not parse with it: line ${line}: ${message}. Nothing was changed.`, [
      `<R:${address}>`,
    ]);
  }
  const lines = splitLines(text).length;
  const count = formatQuantity(lines, 'line');
  return planModules({
    base,
    files: [{ path, before, after, expected: hash, action: 'edit', lines: [0, lines] }],
    how: { check, strict, instead: `<R:${address}>` },
    output: { text: `Added ${name} to ${address} (${count})\n${renderShortDiff(before, after)}`, hint: count },
  });
}

function toTarget({ source, path }: SymbolOwner): SymbolTarget {
  return { kind: 'symbol', source, path, passedOn: false };
}

/** The insertion of a new symbol, its text fitted to an indentation. */
function insertSymbol(
  { source: { text, outline }, path, place }: SymbolOwner,
  name: string,
  fit: (indent: string) => string,
): TextEdit {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const owner = path.at(-1);
  const members = (owner?.members ?? outline.symbols).filter(({ declarations }) => declarations.length > 0);
  const before = findMemberBefore(members, name, text);
  if (owner === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : lineBreak;
    const lead = text.trim() === '' ? '' : lineBreak;
    return { start: text.length, end: text.length, text: `${gap}${lead}${fit('')}${lineBreak}` };
  }
  if (before === undefined) return insertFirst(owner, { text, lineBreak, fit });
  const last = before.declarations.at(-1)!;
  const indent = findIndent(text, before.declarations[0]!.start);
  const body = fit(indent);
  const isListed = place === 'enum' || place === 'object';
  const comma = isListed ? /^\s*,/.exec(text.slice(last.end)) : null;
  const end = last.end + (comma?.[0].length ?? 0);
  const added = isListed ? `${body.replace(/,$/, '')}${comma === null ? '' : ','}` : body;
  // Members of several lines stand apart.
  const isApart = body.includes('\n') || text.slice(before.declarations[0]!.start, last.end).includes('\n');
  const gap = isApart && !isListed ? lineBreak : '';
  const separator = isListed && comma === null ? ',' : '';
  return { start: end, end, text: `${separator}${lineBreak}${gap}${indent}${added}` };
}

/** The insertion of a text in front of a symbol, or behind it. */
function insertBeside(
  { source: { text }, place }: SymbolOwner,
  { symbol, side }: NonNullable<Addition['beside']>,
  fit: (indent: string) => string,
): TextEdit {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const [first, last] = [symbol.declarations[0]!, symbol.declarations.at(-1)!];
  const indent = findIndent(text, first.start);
  const isListed = place === 'enum' || place === 'object';
  const body = fit(indent).replace(isListed ? /,$/ : /$^/, '');
  const gap = isListed || !`${body}${text.slice(first.start, last.end)}`.includes('\n') ? '' : lineBreak;
  if (side === 'before') {
    const separator = isListed ? ',' : '';
    return { start: first.start, end: first.start, text: `${body}${separator}${lineBreak}${gap}${indent}` };
  }
  const comma = isListed ? /^\s*,/.exec(text.slice(last.end)) : null;
  const end = last.end + (comma?.[0].length ?? 0);
  const tail = comma === null ? '' : ',';
  return { start: end, end, text: `${isListed && comma === null ? ',' : ''}${lineBreak}${gap}${indent}${body}${tail}` };
}

/** The last of the members that are public, or private, as a new one is; else the last one. */
function findMemberBefore(members: readonly SymbolOutline[], name: string, text: string): SymbolOutline | undefined {
  const isPrivate = name.startsWith('#');
  return members.findLast((member) => isPrivateMember(member, text) === isPrivate) ?? members.at(-1);
}

interface FirstInsertion {
  readonly text: string;
  readonly lineBreak: string;
  readonly fit: (indent: string) => string;
}

/** The insertion of the first member: in front of the brace that closes its owner. */
function insertFirst(owner: SymbolOutline, { text, lineBreak, fit }: FirstInsertion): TextEdit {
  const { start, end } = owner.declarations.at(-1)!;
  const brace = text.lastIndexOf('}', end - 1);
  const indent = findIndent(text, start);
  const from = text.slice(0, brace).trimEnd().length;
  const inner = `${indent}${/\n\t/.test(text) ? '\t' : '  '}`;
  return { start: from, end: brace, text: `${lineBreak}${inner}${fit(inner)}${lineBreak}${indent}` };
}
