import { getPageLength, type LineRange, LineRangeError } from '@bae/core';
import {
  countLinesOnLastPage,
  formatQuantity,
  getRangeLength,
  renderNumbered,
  renderRange,
  splitLines,
} from '@bae/workspace';
import { type CodeTarget, formatAddress, formatLines, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import { extractSentence } from '../language/comments.ts';
import { findIndent, findLastAtMost, isListed, joinDeclarations, type SymbolOutline } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-catalog.ts';
import { fitsResult, type PageContext, type PageRequest, renderRowsPage } from './paging.ts';

const FIRST_PART = 40;
const LONGEST_SIGNATURE = 140;

/**
 * Renders the source of a symbol; if it is too long, its members, or its first lines.
 *
 * @param every true to list private members too, which are otherwise only counted
 */
export function renderSymbol(
  target: SymbolTarget,
  { page, every, context }: Pick<PageRequest, 'page' | 'context'> & { readonly every: boolean },
): string {
  const { tag } = context;
  const { source, path } = target;
  const symbol = path.at(-1) as SymbolOutline;
  const text = getSymbolText(source.text, symbol);
  const address = formatAddress(target);
  const note = target.passedOn ? `\n[declared at ${tag(`<R:${address}>`)}]` : '';
  if (fitsResult(text + note, context)) return text + note;
  const lines = new TextLines(source.text);
  const [first, last] = findTargetLines(target, lines);
  const shown = symbol.members.filter((member) => every || !isPrivateMember(member, source.text));
  const members = shown.length === 0 ? symbol.members : shown;
  const [firstMember] = members;
  if (firstMember === undefined) return renderTargetLines(target, [first, last], context);
  const head = renderSymbolRow(symbol, source, lines).replace(
    /^\d+: /,
    `${formatSymbolPath(path)}, lines ${first}-${last}: `,
  );
  const part = tag(`<R:${address}:${first}-${Math.min(first + FIRST_PART - 1, last)}>`);
  const member = tag(`<R:${address}.${firstMember.name}>`);
  return renderRowsPage({
    head: [head, `read a part: ${part} or a member: ${member}`],
    rows: [
      ...members.map((member) => renderSymbolRow(member, source, lines)),
      ...(members.length === symbol.members.length
        ? []
        : [`${symbol.members.length - members.length} private: ${tag(`<R:${address} every=true>`)}`]),
    ],
    page,
    call: `R:${address}${every ? ' every=true' : ''}`,
    context,
  });
}

/**
 * Returns true for a member that only its class can use: `#name`, declared `private`, or private by the rules of its
 * language.
 */
export function isPrivateMember({ name, exported, declarations }: SymbolOutline, text: string): boolean {
  if (name.startsWith('#') || !exported) return true;
  const [first] = declarations;
  return first !== undefined && /(?:^|\s)private\s/.test(text.slice(first.doc?.end ?? first.start, first.head.start));
}

/** Renders one row for a symbol: `42: dispatch(call: ToolCall): Promise<ToolResult>  -- Runs a call`. */
export function renderSymbolRow(symbol: SymbolOutline, { text }: Pick<SourceModule, 'text'>, lines: TextLines): string {
  const [first, ...more] = symbol.declarations;
  if (first === undefined) return symbol.name;
  const { head, keyword, doc } = first;
  const line = lines.lineAt(head.start);
  if (symbol.kind === 'imports') return `${line}: import  -- lines ${line}-${lines.lineAt(first.end - 1)}`;
  const also = more.length === 0 ? '' : ` (${more.length + 1} declarations)`;
  const name = symbol.name === 'default' && symbol.place === 'module' ? 'default ' : '';
  const signature = [keyword, renderSymbolHead(text.slice(head.start, head.end))]
    .filter((part) => part !== '')
    .join(' ');
  const sentence = doc === undefined ? '' : extractSentence(text.slice(doc.start, doc.end));
  return `${line}: ${name}${signature}${also}${sentence === '' ? '' : `  -- ${sentence}`}`;
}

/** Renders source text on one line, without the characters that introduce a body. */
function renderSymbolHead(source: string): string {
  const collapsed = source
    .slice(0, LONGEST_SIGNATURE * 4)
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s;,]*(?:=>?|\{)?\s*$/, '');
  return collapsed.length <= LONGEST_SIGNATURE ? collapsed : `${collapsed.slice(0, LONGEST_SIGNATURE - 1)}…`;
}

/** Finds the first and last line of a symbol or a module. */
export function findTargetLines(
  { source, path }: CodeTarget,
  lines: TextLines,
): readonly [first: number, last: number] {
  const symbol = path.at(-1);
  if (symbol === undefined) return [1, source.lines];
  const { declarations } = symbol;
  const first = Math.min(...declarations.map(({ start }) => start));
  const last = Math.max(...declarations.map(({ end }) => end));
  return [lines.lineAt(first), lines.lineAt(last - 1)];
}

/**
 * Returns the text of all declarations as in the file, each with its indentation; an empty line separates declarations
 * in different places.
 */
export function getSymbolText(text: string, symbol: SymbolOutline): string {
  return joinDeclarations(text, symbol.declarations)
    .map(({ start, end }) => findIndent(text, start) + text.slice(start, end))
    .join(isListed(symbol) ? ',\n\n' : '\n\n');
}

/** Returns true for a symbol whose text is too long for one result, so that its members are listed instead. */
export function isOutlined(text: string, symbol: SymbolOutline, context: PageContext): boolean {
  return symbol.members.length > 0 && !fitsResult(getSymbolText(text, symbol), context);
}

/** Creates the tag that shows the text of a symbol, or its lines if that is too long, or the text of a module. */
export function makeTextTag(target: CodeTarget, context: PageContext): string {
  const { source, path } = target;
  const symbol = path.at(-1);
  // The place for the first imports of a module has no address yet.
  if (symbol === undefined || symbol.declarations.every(({ start, end }) => start === end))
    return makeModuleTextTag(source);
  const address = formatAddress(target);
  if (!isOutlined(source.text, symbol, context)) return `<R:${address}>`;
  return `<R:${address}:${findTargetLines(target, new TextLines(source.text)).join('-')}>`;
}

/** Creates the tag that shows the text of a module, not only its symbols. */
export function makeModuleTextTag({ module: { name }, lines }: SourceModule): string {
  return lines === 0 ? `<R:${name}>` : `<R:${name}:1-${lines}>`;
}

/** The lines of a text by number, 1-based. */
export class TextLines {
  readonly all: readonly string[];
  readonly #starts: readonly number[];
  readonly #end: number;

  constructor(text: string) {
    this.all = splitLines(text);
    this.#end = text.length;
    let at = 0;
    this.#starts = this.all.map((line) => (at += line.length) - line.length);
  }

  lineAt(index: number): number {
    return Math.max(1, findLastAtMost(this.#starts, index) + 1);
  }

  /** Returns the index at which a line begins; the end of the text for a line past the last one. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#end;
  }
}

/** Returns the requested lines of a module or symbol with their line breaks, for code. */
export function sliceTargetLines(target: CodeTarget, range: LineRange): string {
  const lines = new TextLines(target.source.text);
  const [first, last] = findTargetLines(target, lines);
  return lines.all.slice(Math.max(range[0], first) - 1, Math.min(range[1] ?? last, last)).join('');
}

/**
 * Renders lines with their numbers, as many as fit on one page, and the tag for the rest; throws a LineRangeError if
 * there are none.
 */
export function renderTargetLines(target: CodeTarget, range: LineRange, { tag, answerLimit }: PageContext): string {
  const address = formatAddress(target);
  const lines = new TextLines(target.source.text);
  const [first, last] = findTargetLines(target, lines);
  const page = getPageLength(answerLimit);
  const from = Math.max(range[0], first);
  const to = Math.min(range[1] ?? last, last);
  if (from > to) {
    const has = first === 1 ? `has ${formatQuantity(last, 'line')}` : `is lines ${first}-${last} of its module`;
    throw new LineRangeError(`${address} ${has}; asked for ${formatLines(range)}.`, [`<R:${address}>`]);
  }
  const wanted = lines.all.slice(from - 1, to);
  const length = range[1] === null || wanted.length < 2 ? page : getRangeLength(wanted, from, page);
  const count = countLinesOnLastPage(wanted, 0, length);
  if (count === wanted.length) return renderNumbered(wanted, from);
  if (count === 0) {
    const line = wanted[0] as string;
    const next = tag(`<R:${address}:${from + 1}>`);
    return `${renderNumbered([line.slice(0, page)], from)}\n[line ${from} has ${line.length} characters; next: ${next}]`;
  }
  const next = from + count;
  const rest = countLinesOnLastPage(wanted, count, getRangeLength(wanted.slice(count), next, page)) || 1;
  const after = tag(`<R:${address}:${renderRange(next, Math.min(next + rest - 1, to))}>`);
  return `${renderNumbered(wanted.slice(0, count), from)}\n[lines ${renderRange(from, next - 1)} of ${last}; next: ${after}]`;
}
