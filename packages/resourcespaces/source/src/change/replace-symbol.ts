import { EditError, renderRange } from '@bae/workspace';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import { ParseError } from '../errors.ts';
import {
  findIndent,
  joinDeclarations,
  type Outline,
  type Span,
  type SymbolOutline,
  type TextEdit,
} from '../language/outline.ts';
import type { Language } from '../language/typescript-outline.ts';
import { TextLines } from '../read/read-symbol.ts';

/** The edits that remove a symbol: whole lines where they contain nothing else. */
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
  // One of the empty lines around it goes with it, and none stays after an opening or before a closing brace.
  const emptyAbove = /(?:^|\n)([^\S\n]*\r?\n)$/.exec(above)?.[1] ?? '';
  const emptyBelow = /^[^\S\n]*\r?\n/.exec(below)?.[0] ?? '';
  if (emptyBelow !== '' && (emptyAbove !== '' || /(?:^|[{[(]\s*)$/.test(above)))
    return { start: from, end: to + emptyBelow.length };
  if (emptyAbove !== '' && /^\s*(?:[}\])]|$)/.test(below)) return { start: from - emptyAbove.length, end: to };
  return { start: from, end: to };
}

/** True for a member that is separated from the next by a comma. */
function isListed({ place }: SymbolOutline): boolean {
  return place === 'enum' || place === 'object';
}

/**
 * The edits that replace a symbol by another text.
 *
 * @throws ParseError when the text is not well formed by itself; EditError when it has fewer or more declarations
 *   than a symbol that is declared in several places
 */
export function replaceSymbol(target: SymbolTarget, body: string, language: Language): readonly TextEdit[] {
  const { source, path } = target;
  const symbol = path.at(-1) as SymbolOutline;
  const { path: file } = source.module;
  const trimmed = trimText(body);
  const text = isListed(symbol) ? trimmed.replace(/,$/, '') : trimmed;
  const piece = language.parse({ text, path: file }, symbol.place);
  const tags = [`<R:${formatAddress(target)}>`];
  if (piece.problem !== undefined) {
    const { line, message } = piece.problem;
    const fact = `the new text of ${formatSymbolPath(path)} does not parse: line ${line}: ${message}.`;
    throw new ParseError(`${fact} Nothing was changed.`, tags);
  }
  if (symbol.kind === 'imports' && piece.symbols.some(({ kind }) => kind !== 'imports'))
    throw new EditError('only imports can take the place of the imports. Nothing was changed.', tags);
  const places = joinDeclarations(source.text, symbol.declarations);
  return splitParts(target, text, piece).map((part, index) => {
    const { start, end } = places[index] as Span;
    const old = source.text.slice(start, end);
    const indent = findIndent(source.text, start);
    const plain = normalizeBreaks(part);
    // Where only line breaks and indentation differ, the old text stays.
    if (plain === normalizeBreaks(old) || plain === normalizeBreaks(indent + old)) return { start, end, text: old };
    const lineBreak = findLineBreak(old) ?? findLineBreak(source.text) ?? '\n';
    const literals = language.literals({ text: part, path: file }, symbol.place);
    const fitted = fitText(part, { indent, lineBreak }, literals);
    // An insertion gets a line of its own.
    return { start, end, text: start === end ? fitted + lineBreak : fitted };
  });
}

function normalizeBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function findLineBreak(text: string): string | undefined {
  return /\r?\n/.exec(text)?.[0];
}

/** Divides a new text among the places of a symbol: each gets as many declarations as it has now. */
function splitParts(target: SymbolTarget, text: string, piece: Outline): readonly string[] {
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
    const end = isLast ? text.length : (found[at - 1] as Span).end;
    const part = text.slice(from, end);
    // The next part begins with the line of its declaration.
    from = isLast ? end : text.lastIndexOf('\n', (found[at] as Span).start - 1) + 1;
    return part.trimEnd();
  });
}

/** Removes the empty lines around a text. */
export function trimText(text: string): string {
  return text.replace(/^(?:[^\S\n]*\r?\n)+/, '').trimEnd();
}

/**
 * Fits a text into a place: all lines but those that begin in a literal are indented as much more or less as the first
 * one, which comes without its indentation, and get the line breaks of the place.
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

/** True for a text that was cut out of its place: only its first line lost its indentation. */
function isIndentedFor(lines: readonly string[], indent: string): boolean {
  if (indent === '' || lines.length === 1 || readIndent(lines[0] as string) !== '') return false;
  const last = lines.at(-1) as string;
  const others = lines.slice(1).filter((line) => line.trim() !== '');
  if (!others.every((line) => line.startsWith(indent))) return false;
  // In its place, a line that continues the first one is indented deeper.
  if (/[:=>({[]$/.test((lines[0] as string).trimEnd()) && readIndent(others[0] ?? '') === indent) return false;
  // A closing bracket is aligned with the first line.
  return /^\s*[)}\]]/.test(last) ? readIndent(last) === indent : others.every((line) => readIndent(line) !== indent);
}

function readIndent(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}
