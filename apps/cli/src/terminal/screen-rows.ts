import { stripVTControlCharacters } from 'node:util';
import { drawn, joinHarmless, measureWidth, RESET_TO_DIM, sliceText, type TerminalText } from './terminal-text.ts';

/** Row and column relative to the start of the drawing. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/** Rows that fit the screen, and the position of the cursor in them. */
export interface Drawing extends Place {
  readonly rows: readonly TerminalText[];
}

const NOTHING: Drawing = { rows: [], row: 0, column: 0 };
/** Characters that take one column in every terminal. */
const PLAIN = /^[ -~]*$/;
const ONE_PLAIN = /[ -~]/g;

/** Rows at the end of a terminal. Each drawing writes only the differences from the previous one. */
export class ScreenRows {
  readonly #columns: () => number;
  #drawn = NOTHING;
  /** Width for which the rows were drawn. */
  #width = 0;
  /** True if the cursor is still after the last written text and has not been moved there. */
  #isBehindText = false;

  readonly #inParts: boolean;

  /** @param inParts true to write only what changes within a row. Default: what is added at its end, or all of it */
  constructor(columns: () => number, inParts = false) {
    this.#columns = columns;
    this.#inParts = inParts;
  }

  get isEmpty(): boolean {
    return this.#drawn.rows.length === 0;
  }

  /** Leaves the drawing on the screen; the next one begins at the cursor. */
  forget(): void {
    this.#drawn = NOTHING;
  }

  /** Returns the codes that erase the drawing and move the cursor to its start. */
  erase(): TerminalText {
    const { rows, row, column } = this.#drawn;
    const columns = Math.max(1, this.#columns());
    // After a resize, a row may take up several.
    const count = (width: number) => Math.max(1, Math.ceil(width / columns));
    const up = rows.slice(0, row).reduce((sum, one) => sum + count(measureShown(one)), count(column) - 1);
    this.#drawn = NOTHING;
    return drawn`\r${up > 0 ? drawn`\u001B[${up}A` : drawn``}\u001B[J`;
  }

  /**
   * Returns the codes that replace the drawing with another one.
   *
   * @param gone number of rows that are left out at the top. Default: none
   */
  draw(wanted: Drawing, gone = 0): TerminalText {
    const columns = this.#columns();
    const isResized = columns !== this.#width && !this.isEmpty;
    this.#width = columns;
    if (isResized || gone >= this.#drawn.rows.length)
      return drawn`${this.isEmpty ? drawn`` : this.erase()}${this.#drawAfter(wanted, 0)}`;
    return this.#drawAfter(wanted, gone);
  }

  #drawAfter(wanted: Drawing, gone: number): TerminalText {
    const { length } = this.#drawn.rows;
    const pen = new Pen(this.#drawn, { rows: length, columns: this.#width, isBehindText: this.#isBehindText });
    if (gone > 0) {
      pen.goTo({ row: 0, column: 0 });
      pen.write(drawn`\u001B[${gone}M`);
    }
    const [before, after] = [this.#drawn.rows.slice(gone), wanted.rows];
    const most = Math.min(before.length, after.length);
    let top = 0;
    while (top < most && before[top] === after[top]) top++;
    let bottom = 0;
    while (bottom < most - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
    const more = after.length - before.length;
    const old = before.slice(0, before.length - bottom);
    if (more > 0 && bottom > 0) {
      // Makes room for the rows below, which move down; rows left out at the top have already made some.
      if (more > gone) pen.goTo({ row: after.length - 1, column: 0 });
      pen.goTo({ row: old.length, column: 0 });
      pen.write(drawn`\u001B[${more}L`);
    } else if (more < 0) {
      pen.goTo({ row: after.length - bottom, column: 0 });
      pen.write(bottom > 0 ? drawn`\u001B[${-more}M` : drawn`\u001B[J`);
    }
    for (let row = top; row < after.length - bottom; row++)
      pen.change(row, { before: old[row] ?? drawn``, after: after[row]!, inParts: this.#inParts });
    pen.goTo(wanted);
    this.#drawn = wanted;
    this.#isBehindText = pen.isBehindText;
    return pen.codes;
  }
}

/** Two versions of a row. */
interface RowChange {
  readonly before: TerminalText;
  readonly after: TerminalText;
  readonly inParts: boolean;
}

/** Collector of codes that tracks the cursor position. */
class Pen {
  codes = drawn``;
  isBehindText: boolean;
  #at: Place;
  readonly #columns: number;
  /** Number of rows so far; a line feed creates the next one. */
  #rows: number;

  constructor(at: Place, screen: { readonly rows: number; readonly columns: number; readonly isBehindText: boolean }) {
    this.#at = at;
    this.#rows = Math.max(1, screen.rows);
    this.#columns = screen.columns;
    this.isBehindText = screen.isBehindText;
  }

  write(codes: TerminalText): void {
    this.codes = joinHarmless([this.codes, codes]);
  }

  goTo(to: Place): void {
    if (to.row !== this.#at.row || to.column !== this.#at.column) this.isBehindText = false;
    const feeds = Math.max(0, to.row - Math.max(this.#at.row, this.#rows - 1));
    const rows = to.row - feeds - this.#at.row;
    if (rows !== 0) this.write(rows < 0 ? drawn`\u001B[${-rows}A` : drawn`\u001B[${rows}B`);
    if (feeds > 0) this.write(drawn`\r${joinHarmless(Array.from({ length: feeds }, () => drawn`\n`))}`);
    const column = feeds > 0 ? 0 : this.#at.column;
    // The column in another row counts from its start, since the one in this row may be uncertain.
    if (to.column !== column || rows !== 0)
      this.write(drawn`\r${to.column > 0 ? drawn`\u001B[${to.column}C` : drawn``}`);
    this.#rows = Math.max(this.#rows, to.row + 1);
    this.#at = to;
  }

  /** Writes the difference between two versions of a row. */
  change(row: number, { before, after, inParts }: RowChange): void {
    if (before === after) return;
    const isAtEnd = this.isBehindText && this.#at.row === row && this.#at.column === measureShown(before);
    // Terminals disagree about the width of some characters, so the column after them is uncertain.
    const isMore = after.startsWith(before) && (isAtEnd || PLAIN.test(before));
    const same = isMore ? before.length : inParts ? countSameStart(before, after) : 0;
    const end = inParts ? countSameEnd(before.slice(same), after.slice(same)) : 0;
    const kept = measureShown(after.slice(0, same));
    this.goTo({ row, column: kept });
    const width = kept + measureShown(after.slice(same, after.length - end));
    // What is left of the old row is erased, unless the rest of the row stays where it is.
    const isOver = end === 0 && same < before.length;
    // After a full row, the code would erase the last column. A terminal that shows a character narrower than it is
    // measured here would keep what is left of the old row.
    if (isOver && width >= this.#columns && !PLAIN.test(after)) this.write(drawn`\u001B[K`);
    this.write(sliceText(after, same, after.length - end));
    if (isOver && width < this.#columns) this.write(drawn`\u001B[K`);
    this.#at = { row, column: width };
    this.isBehindText = end === 0;
  }
}

/** Code of a colour, or a character. */
const PIECE = new RegExp(String.raw`\u001B\[[\d;]*m|.`, 'gsu');

/**
 * Returns the length of the start of two rows that is equal, certain to be as wide as it is measured, and outside of
 * colours: what follows is written with the colours of the row.
 */
function countSameStart(before: string, after: string): number {
  /** The last two places where the rows may part. */
  let parts: readonly [number, number] = [0, 0];
  let count = 0;
  let isColored = false;
  for (const [piece] of before.matchAll(PIECE)) {
    const isCode = piece.startsWith('\u001B');
    if (!after.startsWith(piece, count) || !(isCode || PLAIN.test(piece))) break;
    count += piece.length;
    if (isCode) isColored = piece !== RESET_TO_DIM;
    if (!isColored) parts = [parts[1], count];
  }
  const [previous, last] = parts;
  // A mark that follows may belong to the last character.
  const isCertain = [before, after].every((row) => row[last] === '\u001B' || PLAIN.test(row[last] ?? ''));
  return isCertain ? last : previous;
}

/** Returns the length of the end of two rows that is equal and, whatever the terminal, in the same columns. */
function countSameEnd(before: string, after: string): number {
  // A part of a code is no text.
  if (before.includes('\u001B') || after.includes('\u001B')) return 0;
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before.at(-1 - count) === after.at(-1 - count)) count++;
  while (count > 0 && !PLAIN.test(before.at(-count)!)) count--;
  const [old, own] = [before, after].map((row) => row.slice(0, row.length - count)) as [string, string];
  return old.length === own.length && old.replaceAll(ONE_PLAIN, '') === own.replaceAll(ONE_PLAIN, '') ? count : 0;
}

/** Returns the displayed width of a row, in columns. */
export function measureShown(row: string): number {
  return measureWidth(stripVTControlCharacters(row));
}
