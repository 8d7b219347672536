import { stripVTControlCharacters } from 'node:util';
import { NO_ROWS, wrapWords, type StreamedRows } from '../terminal/live-area.ts';
import { loadLexer, writeBlocks, type Lexer } from '../terminal/markdown.ts';
import { measureShown } from '../terminal/screen-rows.ts';
import {
  makeOutputVisible,
  makeVisible,
  wrapLine,
  type Painter,
  type TerminalText,
} from '../terminal/terminal-text.ts';

/** Approximate maximum number of characters that are rendered for each frame. */
const LONGEST = 4096;
/** Marks at the end that become a heading, a list or a rule only with the text after them. */
const BARE_MARK = /(?:^|\n)(?:[-=*+#>|_ \t]+|[ \t]*\d{1,9}[.)]?[ \t]*)$/;
/** A part of the line that begins or ends a block of code. */
const HALF_FENCE = /(?:^|\n)[ \t]*(?:`{1,2}|~{1,2})$/;
/** Line that begins or ends a block of code. */
const FENCE = /^[ \t]*(?:```|~~~).*$/gm;
/** The first two lines of a table. */
const TABLE = /^[^\n]*\|[^\n]*\n[ \t]*[|:-][-|: \t]*\n/;

/**
 * Renders Markdown while it is written: of a long text only the end, and what is not closed yet as if it were closed, so
 * that it does not change its look when it is.
 */
export class StreamedMarkdown {
  readonly #paint: Painter;
  #lex: Lexer | undefined;
  /** Start of the rendered part, and what stands before it for its meaning: a fence, or the head of a table. */
  #from = 0;
  #opening = '';
  #above = 0;
  #columns = 0;
  #text: string | undefined;
  #last = NO_ROWS;

  constructor(paint: Painter) {
    this.#paint = paint;
  }

  /** Loads what reads Markdown. Until then, text is rendered as it is written. */
  async load(): Promise<void> {
    this.#lex ??= await loadLexer();
  }

  /** @param text extends the previous one, or is another one */
  render(text: string, columns: number): StreamedRows {
    if (text === this.#text && columns === this.#columns) return this.#last;
    if (text.length < this.#from || columns !== this.#columns) this.clear();
    this.#text = text;
    this.#columns = columns;
    if (text.length - this.#from > 4 * LONGEST) this.#cut(text);
    let rows = this.#renderEnd(text);
    if (text.length - this.#from > LONGEST) {
      this.#cut(text);
      const left = this.#renderEnd(text);
      this.#above += Math.max(0, rows.length - left.length);
      rows = left;
    }
    return (this.#last = { rows, above: this.#above });
  }

  clear(): void {
    this.#from = 0;
    this.#opening = '';
    this.#above = 0;
    this.#text = undefined;
  }

  #renderEnd(text: string): readonly TerminalText[] {
    const visible = makeVisible(text.slice(this.#from)).replaceAll('\t', '  ');
    const end = this.#opening + visible.replace(HALF_FENCE, '');
    const most = Math.max(1, this.#columns - 1);
    const lex = this.#lex;
    if (lex === undefined) return end === '' ? [] : wrapWords(end.trimEnd(), most).map((row) => makeVisible(row));
    const whole = isInCode(end) ? end : closeMarks(end.replace(BARE_MARK, ''));
    const rendered = writeBlocks(lex(whole), { columns: this.#columns, paint: this.#paint });
    if (rendered === '') return [];
    return rendered.split('\n').flatMap((row) => fitRow(row, most));
  }

  /** Leaves out the beginning, up to the start of a block if possible. */
  #cut(text: string): void {
    const most = text.length - LONGEST / 2;
    const starts = ['\n\n', '\n', ' '].map((end) => text.lastIndexOf(end, most) + end.length);
    const start = starts.find((one) => one > this.#from + LONGEST / 4) ?? most;
    const before = this.#opening + text.slice(this.#from, start);
    this.#from = start;
    if (isInCode(before)) this.#opening = `${before.match(FENCE)!.at(-1)!}\n`;
    else
      this.#opening = before.endsWith('\n\n')
        ? ''
        : (TABLE.exec(before.slice(before.lastIndexOf('\n\n') + 2))?.[0] ?? '');
  }
}

function isInCode(text: string): boolean {
  return (text.match(FENCE)?.length ?? 0) % 2 === 1;
}

/** Closes code, strong text and emphasis that are open at the end, or removes their mark if nothing follows it. */
function closeMarks(text: string): string {
  const last = text.slice(text.lastIndexOf('\n\n') + 1).replaceAll(/`[^`]*`/g, '');
  if (last.includes('`')) return closeMark(text, '`');
  if (last.split('**').length % 2 === 0) return /(?<!\*)\*$/.test(text) ? `${text}*` : closeMark(text, '**');
  return /(?<![\w*])\*(?=[^\s*]|$)[^*]*$/.test(last.replaceAll('**', '')) ? closeMark(text, '*') : text;
}

function closeMark(text: string, mark: string): string {
  return text.endsWith(mark) ? text.slice(0, -mark.length) : text.trimEnd() + mark;
}

/** Divides a row that is wider than the screen, without its colours. */
function fitRow(row: string, columns: number): readonly TerminalText[] {
  if (measureShown(row) <= columns) return [makeOutputVisible(row)];
  return wrapLine(stripVTControlCharacters(row), columns, '').map((piece) => makeVisible(piece));
}
