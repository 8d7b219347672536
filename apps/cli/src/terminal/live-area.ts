import { makeVisible, measureWidth, wrapLine } from './terminal-text.ts';

const ESC = '\u001B[';
const DIM = `${ESC}2m`;
const RESET = `${ESC}0m`;
/** Most lines that are shown, and the share of the screen that they may take. */
const MOST_LINES = 10;
const SHARE = 0.5;
/** Characters that take one column in every terminal. */
const PLAIN = /^[ -~]*$/;

/** The terminal that the area is at the end of. */
export interface Screen {
  readonly color: boolean;
  columns(): number;
  rows(): number;
  write(text: string): void;
}

/**
 * The last lines of a text that grows, at the end of a terminal. What is already there is not written again: a frame
 * takes about as many bytes as the text that it adds.
 */
export class LiveArea {
  readonly #screen: Screen;
  /** The lines on the screen; the cursor is behind the last one. */
  #shown: readonly string[] = [];
  /** How many lines of the text are above them. */
  #above = 0;
  #columns = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get isShown(): boolean {
    return this.#shown.length > 0;
  }

  /** Shows the end of a text, which is longer than the one before, or another one. */
  show(text: string): void {
    const columns = this.#screen.columns();
    const lines = wrapWords(makeVisible(text).replaceAll('\t', '  ').trimEnd(), columns - 1);
    const most = Math.max(1, Math.min(MOST_LINES, Math.floor(this.#screen.rows() * SHARE)));
    const above = Math.max(0, lines.length - most);
    const wanted = lines.slice(above);
    const shift = above - this.#above;
    const isResized = this.#columns !== columns;
    const isGrown =
      this.isShown && !isResized && shift >= 0 && shift < this.#shown.length && this.#continues(wanted, shift);
    if (!isGrown) {
      this.erase();
      this.#columns = columns;
      this.#screen.write((this.#screen.color ? DIM : '') + wanted.join('\n'));
    } else this.#grow(wanted, shift);
    this.#shown = wanted;
    this.#above = above;
  }

  erase(): void {
    if (!this.isShown) return;
    // After a resize, a line may take several rows.
    const columns = Math.max(1, this.#screen.columns());
    const rows = this.#shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(measureWidth(line) / columns)), 0);
    const up = rows > 1 ? `${ESC}${rows - 1}A` : '';
    this.#screen.write(`${this.#screen.color ? RESET : ''}\r${up}${ESC}J`);
    this.#shown = [];
    this.#above = 0;
  }

  /** True when the lines on the screen, but for the last, are the first of the wanted ones. */
  #continues(wanted: readonly string[], shift: number): boolean {
    const kept = this.#shown.slice(shift, -1);
    return wanted.length > kept.length && kept.every((line, index) => wanted[index] === line);
  }

  #grow(wanted: readonly string[], shift: number): void {
    const last = this.#shown.at(-1)!;
    const at = this.#shown.length - 1 - shift;
    let frame = '';
    if (shift > 0) {
      const up = this.#shown.length - 1;
      // The first lines are taken out, and those below move up; then back behind the last one.
      frame += `\r${up > 0 ? `${ESC}${up}A` : ''}${ESC}${shift}M${at > 0 ? `${ESC}${at}B` : ''}`;
      // Terminals disagree about the width of some characters.
      frame += PLAIN.test(last) && last !== '' ? `${ESC}${last.length}C` : last;
    }
    const line = wanted[at]!;
    frame += line.startsWith(last) ? line.slice(last.length) : `\r${line}${ESC}K`;
    for (const next of wanted.slice(at + 1)) frame += `\n${next}`;
    if (frame !== '') this.#screen.write(frame);
  }
}

/** Lines of at most so many columns, divided at blanks where there are any. */
export function wrapWords(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapOneLine(line, Math.max(1, columns)));
}

function wrapOneLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<= )/)) {
    if (measureWidth((current + word).trimEnd()) > columns && current !== '') {
      lines.push(current.trimEnd());
      current = '';
    }
    const parts = measureWidth(word.trimEnd()) > columns ? wrapLine(word, columns, '') : [word];
    lines.push(...parts.slice(0, -1));
    current += parts.at(-1)!;
  }
  return [...lines, current.trimEnd()];
}
