import { stripVTControlCharacters } from 'node:util';
import {
  drawn,
  joinHarmless,
  makeOutputVisible,
  makeVisible,
  measureWidth,
  sliceText,
  type TerminalText,
} from './terminal-text.ts';

/** Where a text is drawn. */
export interface DrawingScreen {
  readonly screen: { write(text: TerminalText): unknown };
  readonly columns: () => number;
  readonly rows: () => number;
}

/** The prompt of lines after the first. */
const CONTINUED = drawn`… `;

/** Draws a prompt and a text with a cursor at the end of a screen, and again whatever of it changes. */
export class TextDrawing {
  readonly #screen: DrawingScreen;
  #drawn = NOTHING;

  constructor(screen: DrawingScreen) {
    this.#screen = screen;
  }

  /** Leaves on the screen what is drawn; the next text begins where the cursor is. */
  forget(): void {
    this.#drawn = NOTHING;
  }

  /** Erases what is drawn, and stands where it began. */
  erase(): TerminalText {
    const { row } = this.#drawn;
    this.#drawn = NOTHING;
    return drawn`\r${row > 0 ? drawn`\u001B[${row}A` : drawn``}\u001B[J`;
  }

  /**
   * Draws what has changed since the last time.
   *
   * @param footer lines below the text that fit the screen. Default: none
   */
  draw(prompt: string, edited: { readonly text: string; readonly cursor: number }, footer = ''): void {
    const before = this.#drawn;
    const after = this.#layOut(prompt, edited, footer);
    const { rows } = after;
    let codes = drawn``;
    let at: Place = before;
    const kept = rows.length === before.rows.length ? rows.length : countSame(before.rows, rows);
    for (let row = 0; row < kept; row++) {
      const [old, fresh] = [before.rows[row]!, rows[row]!];
      if (fresh === old) continue;
      const same = fresh.startsWith(old) ? old : '';
      codes = drawn`${codes}${moveTo(at, { row, column: measureShown(same) })}${sliceText(fresh, same.length)}`;
      // Behind the last column nothing is left, and the code would erase that column.
      if (same === '' && measureShown(fresh) < this.#screen.columns()) codes = drawn`${codes}\u001B[K`;
      at = { row, column: measureShown(fresh) };
    }
    if (kept < Math.max(rows.length, before.rows.length)) {
      const [old = '', ...others] = before.rows.slice(kept);
      const fresh = rows[kept] ?? drawn``;
      const same = kept < before.rows.length && others.length === 0 && fresh.startsWith(old) ? old : '';
      const isBelow = kept >= before.rows.length && kept > 0;
      codes = drawn`${codes}${moveTo(at, { row: isBelow ? kept - 1 : kept, column: measureShown(same) })}`;
      if (isBelow) codes = drawn`${codes}\r\n`;
      else if (same === '') codes = drawn`${codes}\u001B[J`;
      codes = drawn`${codes}${joinHarmless([sliceText(fresh, same.length), ...rows.slice(kept + 1)], drawn`\r\n`)}`;
      const last = Math.max(kept, rows.length - 1);
      at = { row: last, column: measureShown(rows[last] ?? '') };
    }
    this.#screen.screen.write(drawn`${codes}${moveTo(at, after)}`);
    this.#drawn = after;
  }

  /** The rows of prompt and text at the width of the screen, as many as it can hold, and where the cursor is in them. */
  #layOut(prompt: string, { text, cursor }: { readonly text: string; readonly cursor: number }, footer: string): Drawn {
    const columns = Math.max(4, this.#screen.columns());
    const rows: TerminalText[] = [drawn``];
    let width = 0;
    const add = (shown: TerminalText): void => {
      const own = measureShown(shown);
      if (width + own > columns) {
        rows.push(drawn``);
        width = 0;
      }
      rows[rows.length - 1] = joinHarmless([rows.at(-1)!, shown]);
      width += own;
    };
    for (const [word] of prompt.matchAll(WORDS)) {
      if (measureShown(word) <= columns) add(makeOutputVisible(word));
      else for (const character of stripVTControlCharacters(word)) add(makeVisible(character));
    }
    let place: Place | undefined;
    let at = 0;
    for (const character of text) {
      if (at === cursor) place = { row: rows.length - 1, column: width };
      at += character.length;
      if (character === '\n') {
        rows.push(CONTINUED);
        width = measureWidth(CONTINUED);
      } else add(character === '\t' ? drawn`  ` : makeVisible(character));
    }
    place ??= { row: rows.length - 1, column: width };
    if (place.column >= columns) {
      // A full row has no place for the cursor behind it.
      if (place.row === rows.length - 1) rows.push(drawn``);
      place = { row: place.row + 1, column: 0 };
    }
    // Only what the screen can hold can be drawn again.
    const below = footer === '' ? [] : footer.split('\n').map((line) => makeOutputVisible(line));
    const most = Math.max(1, this.#screen.rows() - 1 - below.length);
    const from = Math.max(0, Math.min(place.row - Math.floor(most / 2), rows.length - most));
    return { rows: [...rows.slice(from, from + most), ...below], row: place.row - from, column: place.column };
  }
}

/** A row and a column from the start of what is drawn. */
interface Place {
  readonly row: number;
  readonly column: number;
}

interface Drawn extends Place {
  readonly rows: readonly TerminalText[];
}

const NOTHING: Drawn = { rows: [], row: 0, column: 0 };

/** How many rows at the start of both are the same. */
function countSame(before: readonly string[], after: readonly string[]): number {
  const first = after.findIndex((row, index) => row !== before[index]);
  return first === -1 ? after.length : first;
}

/** The columns of a row as it is shown. */
function measureShown(row: string): number {
  return measureWidth(stripVTControlCharacters(row));
}

/** Words, each with the blanks behind it. */
const WORDS = /[^ ]* ?/g;

function moveTo(from: Place, to: Place): TerminalText {
  if (from.row === to.row && from.column === to.column) return drawn``;
  const rows = to.row - from.row;
  const vertical = rows === 0 ? drawn`` : rows < 0 ? drawn`\u001B[${-rows}A` : drawn`\u001B[${rows}B`;
  return drawn`${vertical}\r${to.column > 0 ? drawn`\u001B[${to.column}C` : drawn``}`;
}
