import { stripVTControlCharacters } from 'node:util';
import { NO_ROWS, wrapWords, type StreamedRows } from '../terminal/live-area.ts';
import {
  createPainter,
  RESET_TO_DIM,
  makeOutputVisible,
  makeVisible,
  wrapLine,
  type Painter,
  type TerminalText,
} from '../terminal/terminal-text.ts';
import type { StatusLine } from '../terminal/terminal.ts';
import { loadLexer, writeBlocks, type Lexer } from '../terminal/markdown.ts';
import { measureShown } from '../terminal/screen-rows.ts';
import type { View } from './user-view.ts';

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

/** Last line that may become a call, a block or a fence once it is complete. */
const UNCERTAIN = /(?:^|\n)[ \t]*(?:<(?!\/[\w.-]+>)|[@{[`~])[^\n]*$/;

/** Beginning of a call or a run block, with its name. */
const OPENING = /<(?:([\w.-]+):[^\n>]*|(run|tool_call|function_calls?|invoke)\b[^>\n]*)>/g;
/** Calls that never have a body. */
const WITHOUT_BODY = /^(?:.*\.)?(?:r|read|g|glob|grep|help|go)$/i;

/**
 * Returns the start of a call whose body may still be arriving; the length of the text if there is none. Takes time in
 * proportion to the length of the text.
 */
function findOpenCall(text: string): number {
  const lower = text.toLowerCase();
  const fences = Array.from(text.matchAll(FENCE), ({ index }) => index);
  /** Next closing tag by name, as long as it is not passed. */
  const closers = new Map<string, number>();
  let fencesBefore = 0;
  for (const { 0: tag, 1: called, 2: block, index } of text.matchAll(OPENING)) {
    while (fences[fencesBefore] !== undefined && fences[fencesBefore]! < index) fencesBefore++;
    const name = called ?? block!;
    if ((called !== undefined && WITHOUT_BODY.test(called)) || fencesBefore % 2 === 1) continue;
    const close = `</${name.slice(name.lastIndexOf('.') + 1)}`.toLowerCase();
    const end = index + tag.length;
    const known = closers.get(close) ?? -1;
    const closer = known >= end ? known : lower.indexOf(close, end);
    if (closer === -1 || !lower.includes('>', closer)) return index;
    closers.set(close, closer);
  }
  return text.length;
}

/** Approximate maximum number of characters that are parsed at once. */
const LONGEST_PART = 8192;
/** Maximum number of characters that are parsed of a response without paragraphs, which is no prose. */
const MOST = 32 * LONGEST_PART;

/** Text that a model has written so far, without its calls and code, and without a last line that may become one. */
export class StreamedProse {
  readonly #prose: (text: string) => string;
  /** Prose of text that cannot change any more; below it, the text after that. */
  #settled = '';
  #written = '';

  /** @param prose extracts the prose of a response */
  constructor(prose: (text: string) => string) {
    this.#prose = prose;
  }

  get isEmpty(): boolean {
    return this.#written === '' && this.#settled === '';
  }

  add(text: string): void {
    this.#written += text;
  }

  read(): string {
    if (this.#written.length > LONGEST_PART) this.#settle();
    const part = this.#written.slice(0, MOST);
    const text = part.slice(0, findOpenCall(part));
    return this.#settled + this.#prose(text.replace(UNCERTAIN, ''));
  }

  clear(): void {
    this.#settled = '';
    this.#written = '';
  }

  /** Moves complete paragraphs to the settled prose, so that a long response is not parsed repeatedly. */
  #settle(): void {
    const end = this.#written.lastIndexOf('\n\n', this.#written.length - LONGEST_PART / 2) + 2;
    const whole = this.#written.slice(0, end);
    if (end < 2 || isInCode(whole) || findOpenCall(whole) < whole.length) return;
    const prose = this.#prose(whole).trimEnd();
    if (prose !== '') this.#settled += `${prose}\n\n`;
    this.#written = this.#written.slice(end);
  }
}

/** How a response is shown while it is written. */
export interface StreamStyle {
  /** Extracts the prose of a response. */
  readonly prose: (text: string) => string;
  readonly color: boolean;
  /** Shows what was written of a response that has no end, because it was cancelled or failed. */
  readonly showUnfinished: (prose: string, label: string) => Promise<void>;
}

/**
 * Shows a response as the model writes it, as dim Markdown without its calls and code. It disappears when the response
 * ends; an answer is then displayed separately.
 */
export function createProseStream(status: Pick<StatusLine, 'stream'>, style: StreamStyle): View {
  const { prose, color, showUnfinished } = style;
  const written = new StreamedProse(prose);
  const markdown = new StreamedMarkdown(createPainter({ color }, RESET_TO_DIM));
  const read = (columns: number): StreamedRows => markdown.render(written.read(), columns);
  const clear = (): void => {
    status.stream(undefined);
    written.clear();
    markdown.clear();
  };
  return (event) => {
    if (event.type === 'turn-start') void markdown.load();
    if (event.type === 'response-delta') {
      // A view that is chosen within a turn has not seen its start.
      if (written.isEmpty) void markdown.load();
      written.add(event.text);
      status.stream(read);
    }
    // After an error, the response is written anew.
    if (event.type === 'response-end' || (event.type === 'notice' && event.code === 'retry')) clear();
    if (event.type !== 'turn-end') return undefined;
    // An earlier session has no delta events.
    written.clear();
    written.add(event.unfinished ?? '');
    const left = written.read().trim();
    clear();
    return left === '' ? undefined : showUnfinished(left, event.label);
  };
}
