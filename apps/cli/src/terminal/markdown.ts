import { NAMED_CHARACTERS } from '@bae/core/pipeline';
import type { MarkedToken, Token, Tokens } from 'marked';
import { measureWidth, type Paint, type Painter } from './terminal-text.ts';

/** Options for rendering Markdown. */
export interface MarkdownPlace {
  readonly columns: number;
  readonly paint: Painter;
  /** Number of columns already used in the first line. */
  readonly taken?: number;
}

/** Piece of a line with a single style. */
interface Span {
  readonly text: string;
  readonly style?: Paint | undefined;
}

/** Indents of the first line of a block and of its other lines. */
interface Indent {
  readonly first: string;
  readonly rest: string;
}

const NO_INDENT: Indent = { first: '', rest: '' };
/** Columns between those of a table, and minimum width of a column. */
const GAP = 2;
const NARROWEST = 6;
const LEAST_WIDTH = 20;

/**
 * Renders Markdown for a terminal, with headings, lists, tables and code in colour and lines wrapped at words. Text
 * that is not Markdown is unchanged, except for line breaks within paragraphs.
 *
 * @param text without control characters
 */
export async function renderMarkdown(text: string, place: MarkdownPlace): Promise<string> {
  const lex = await loadLexer();
  return writeBlocks(lex(text), place);
}

/** Divides Markdown into its blocks. */
export type Lexer = (text: string) => readonly Token[];

export async function loadLexer(): Promise<Lexer> {
  const { lexer } = await import('marked');
  return (text) => lexer(text, { gfm: true });
}

/** Renders the blocks of a Markdown text. */
export function writeBlocks(tokens: readonly Token[], { columns, paint, taken = 0 }: MarkdownPlace): string {
  const width = Math.max(LEAST_WIDTH, columns - 1);
  const [first, ...others] = tokens.filter(({ type }) => type !== 'space');
  if (first === undefined) return '';
  const writer = new BlockWriter(width, paint);
  if (first.type === 'paragraph' || first.type === 'text') {
    writer.addSpans(readInline(first), { first: ' '.repeat(taken), rest: '' });
    const [line = ''] = writer.lines;
    writer.lines[0] = line.slice(taken);
  } else {
    if (taken > 0) writer.lines.push('');
    writer.addBlock(first, NO_INDENT);
  }
  for (const token of others) {
    writer.lines.push('');
    writer.addBlock(token, NO_INDENT);
  }
  return writer.lines.join('\n');
}

/** Colours of the lines of a diff, by their first character. */
const CHANGED: Readonly<Record<string, Paint>> = { '+': 'code', '-': 'error', '@': 'hint' };

/** Collector for the lines of blocks. */
class BlockWriter {
  readonly lines: string[] = [];
  readonly #width: number;
  readonly #paint: Painter;

  constructor(width: number, paint: Painter) {
    this.#width = width;
    this.#paint = paint;
  }

  addBlock(given: Token, indent: Indent): void {
    const token = given as MarkedToken;
    switch (token.type) {
      case 'heading':
        return this.addSpans(
          readInline(token).map(({ text }) => ({ text, style: 'heading' })),
          indent,
        );
      case 'code':
        return this.#addCode(token, indent);
      case 'list':
        return this.#addList(token, indent);
      case 'table':
        return this.#addTable(token, indent);
      case 'blockquote':
        return this.#addBlocks(token.tokens, { first: `${indent.first}│ `, rest: `${indent.rest}│ ` });
      case 'hr':
        return void this.lines.push(indent.first + '─'.repeat(Math.min(40, this.#width - indent.first.length)));
      case 'html':
      case 'def':
        return this.addSpans([{ text: token.raw.trimEnd() }], indent);
      case 'space':
        return;
      default:
        return this.addSpans(readInline(token), indent);
    }
  }

  /** Wraps spans at words. A word that is longer than a line is divided; a line break in a span is kept. */
  addSpans(spans: readonly Span[], { first, rest }: Indent): void {
    let indent = first;
    let line = '';
    let used = measureWidth(indent);
    const end = (): void => {
      this.lines.push((indent + line).trimEnd());
      indent = rest;
      line = '';
      used = measureWidth(rest);
    };
    let isSpaceDue = false;
    for (const { text, style } of spans) {
      for (const piece of text.split(/(\n| +)/)) {
        if (piece === '') continue;
        if (piece === '\n') {
          end();
          isSpaceDue = false;
          continue;
        }
        if (piece.startsWith(' ')) {
          isSpaceDue = true;
          continue;
        }
        const isBehindText = line !== '';
        const space = isSpaceDue && isBehindText ? 1 : 0;
        isSpaceDue = false;
        const own = measureWidth(piece);
        if (isBehindText && used + space + own > this.#width && (space > 0 || own > this.#width / 2)) end();
        else if (space > 0) {
          line += ' ';
          used += 1;
        }
        for (const part of divideWord(piece, this.#width - used, this.#width - measureWidth(rest))) {
          if (used + measureWidth(part) > this.#width && line !== '') end();
          line += style === undefined ? part : this.#paint(style, part);
          used += measureWidth(part);
        }
      }
    }
    if (line !== '' || this.lines.length === 0) end();
  }

  #addBlocks(tokens: readonly Token[], { first, rest }: Indent): void {
    const blocks = tokens.filter(({ type }) => type !== 'space');
    for (const [index, block] of blocks.entries()) {
      if (index > 0 && block.type !== 'list') this.lines.push(rest.trimEnd());
      this.addBlock(block, { first: index === 0 ? first : rest, rest });
    }
  }

  /** Adds lines of code without wrapping them, so that they can be copied. */
  #addCode({ text, lang }: Tokens.Code, { first, rest }: Indent): void {
    for (const [index, line] of text.split('\n').entries()) {
      const changed = /^(?:diff|patch)\b/.test(lang ?? '') ? CHANGED[line[0] ?? ''] : undefined;
      const painted = changed === undefined ? paintCode(line, this.#paint) : this.#paint(changed, line);
      this.lines.push(`${index === 0 ? first : rest}  ${painted}`.trimEnd());
    }
  }

  #addList({ items, ordered, start, loose }: Tokens.List, { first, rest }: Indent): void {
    for (const [index, item] of items.entries()) {
      if (loose && index > 0) this.lines.push(rest.trimEnd());
      const mark = ordered ? `${Number(start) + index}. ` : '• ';
      const box = item.task ? (item.checked === true ? '☑ ' : '☐ ') : '';
      const before = index === 0 ? first : rest;
      const indent = { first: before + mark + box, rest: rest + ' '.repeat(mark.length) };
      this.#addBlocks(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        indent,
      );
    }
  }

  /**
   * Adds the columns next to each other if they fit; otherwise each cell has its own line after the name of its column.
   */
  #addTable({ header, rows }: Tokens.Table, { rest }: Indent): void {
    const cells = [header, ...rows].map((row) => row.map((cell) => joinText(readInline(cell))));
    const [names = [], ...values] = cells;
    const widths = names.map((_, column) => Math.max(...cells.map((row) => measureWidth(row[column] ?? ''))));
    const room = this.#width - rest.length - GAP * (names.length - 1);
    const fitted = fitWidths(widths, room);
    if (fitted === undefined) {
      for (const row of values) {
        for (const [column, value] of row.entries())
          this.addSpans([{ text: `${names[column]}: `, style: 'strong' }, { text: value }], {
            first: rest,
            rest: `${rest}  `,
          });
        this.lines.push('');
      }
      if (this.lines.at(-1) === '') this.lines.pop();
      return;
    }
    for (const [index, row] of cells.entries()) {
      this.#addRow(row, fitted, { rest, style: index === 0 ? 'strong' : undefined });
      if (index === 0) this.lines.push(rest + fitted.map((width) => '─'.repeat(width)).join(' '.repeat(GAP)));
    }
  }

  #addRow(
    row: readonly string[],
    widths: readonly number[],
    { rest, style }: { readonly rest: string; readonly style: Paint | undefined },
  ): void {
    const columns = row.map((text, column) => {
      const cell = new BlockWriter(widths[column]!, (_, plain) => plain);
      cell.addSpans([{ text }], NO_INDENT);
      return cell.lines;
    });
    const height = Math.max(1, ...columns.map((lines) => lines.length));
    for (let at = 0; at < height; at++) {
      const parts = columns.map((lines, column) => {
        const text = lines[at] ?? '';
        const pad = ' '.repeat(Math.max(0, widths[column]! - measureWidth(text)));
        return (style === undefined ? text : this.#paint(style, text)) + pad;
      });
      this.lines.push((rest + parts.join(' '.repeat(GAP))).trimEnd());
    }
  }
}

/** Fits widths into the available room by narrowing the widest columns first; undefined if there is not enough room. */
function fitWidths(widths: readonly number[], room: number): readonly number[] | undefined {
  const fitted = [...widths];
  for (let over = fitted.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const widest = fitted.indexOf(Math.max(...fitted));
    if (fitted[widest]! <= NARROWEST) return undefined;
    fitted[widest]!--;
  }
  return fitted;
}

/** Divides a word into parts: the first fits the rest of the line, and each of the others fits a whole line. */
function divideWord(word: string, room: number, width: number): readonly string[] {
  if (measureWidth(word) <= Math.max(room, width)) return [word];
  const parts: string[] = [''];
  let used = 0;
  let most = room > 8 ? room : width;
  for (const character of word) {
    const own = measureWidth(character);
    if (used + own > most) {
      parts.push('');
      used = 0;
      most = width;
    }
    parts[parts.length - 1] += character;
    used += own;
  }
  return parts;
}

function joinText(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join('');
}

/** Returns the styled pieces of a block of text. */
function readInline(block: object): readonly Span[] {
  const { tokens, text = '' } = block as { readonly tokens?: readonly Token[]; readonly text?: string };
  return tokens === undefined
    ? [{ text: foldBreaks(text) }]
    : tokens.flatMap((token) => readSpan(token as MarkedToken));
}

function readSpan(token: MarkedToken): readonly Span[] {
  switch (token.type) {
    case 'strong':
      return restyle(readInline(token), 'strong');
    case 'em':
      return restyle(readInline(token), 'emphasis');
    case 'codespan':
      return [{ text: token.text, style: 'code' }];
    case 'del':
      return restyle(readInline(token), 'struck');
    case 'link': {
      const spans = restyle(readInline(token), 'link');
      return joinText(spans) === token.href ? spans : [...spans, { text: ` (${token.href})` }];
    }
    case 'image':
      return [{ text: `${token.text} (${token.href})` }];
    case 'br':
      return [{ text: '\n' }];
    case 'html':
      return [{ text: /^<br\s*\/?>$/i.test(token.raw.trim()) ? '\n' : foldBreaks(token.raw) }];
    case 'text':
      return token.tokens === undefined ? [{ text: readNamedCharacters(foldBreaks(token.raw)) }] : readInline(token);
    case 'escape':
      return [{ text: token.text }];
    default:
      return [{ text: foldBreaks(token.raw) }];
  }
}

function readNamedCharacters(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) =>
    Object.hasOwn(NAMED_CHARACTERS, name) ? NAMED_CHARACTERS[name]! : whole,
  );
}

/** Applies a style to the pieces that have none. */
function restyle(spans: readonly Span[], style: Paint): readonly Span[] {
  return spans.map((span) => (span.style === undefined ? { ...span, style } : span));
}

/** Joins the lines of a paragraph into one. */
function foldBreaks(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, ' ').replaceAll('\t', '  ');
}

/** Comments, strings, numbers and names, in the syntax that most languages share. */
const TOKEN =
  /(?<comment>\/\/.*$|#(?!\w*[({]).*$|\/\*.*?(?:\*\/|$))|(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<number>\b\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/gu;
const KEYWORDS = new Set(
  'abstract as async await break case catch class const continue def default delete do elif else enum except export extends false finally fn for from func function if implements import in instanceof interface is lambda let match mut new nil None null of pass private protected public raise readonly return self static struct super switch this throw throws True False true try type typeof undefined use var void while with yield'.split(
    ' ',
  ),
);

/** Colours a line of code: keywords, strings, numbers and comments, in any language. */
export function paintCode(line: string, paint: Painter): string {
  let painted = '';
  let at = 0;
  for (const { 0: token, index, groups = {} } of line.matchAll(TOKEN)) {
    painted += paint('code', line.slice(at, index));
    at = index + token.length;
    if (groups['comment'] !== undefined) painted += paint('debug', token);
    else if (groups['text'] !== undefined) painted += paint('text', token);
    else if (groups['number'] !== undefined) painted += paint('number', token);
    else painted += paint(KEYWORDS.has(token) ? 'keyword' : 'code', token);
  }
  return painted + paint('code', line.slice(at));
}
