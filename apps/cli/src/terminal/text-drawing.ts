import { stripVTControlCharacters } from 'node:util';
import {
  drawn,
  joinHarmless,
  makeOutputVisible,
  makeVisible,
  measureWidth,
  type TerminalText,
} from './terminal-text.ts';
import { measureShown, ScreenRows, type Drawing } from './screen-rows.ts';

/** Screen on which a text is drawn. */
export interface DrawingScreen {
  readonly screen: { write(text: TerminalText): unknown };
  readonly columns: () => number;
  readonly rows: () => number;
}

/** Text with a cursor, in UTF-16 code units. */
interface Edited {
  readonly text: string;
  readonly cursor: number;
}

/** Prompt of lines after the first. */
const CONTINUED = drawn`… `;

/** Drawing of a prompt and a text with a cursor at the end of a screen, of which only changes are redrawn. */
export class TextDrawing {
  readonly #screen: DrawingScreen;
  readonly #rows: ScreenRows;

  constructor(screen: DrawingScreen) {
    this.#screen = screen;
    this.#rows = new ScreenRows(screen.columns);
  }

  /** Leaves the drawing on the screen; the next text begins at the cursor. */
  forget(): void {
    this.#rows.forget();
  }

  /** Returns the codes that erase the drawing and move the cursor to its start. */
  erase(): TerminalText {
    return this.#rows.erase();
  }

  /**
   * Draws the changes since the last time.
   *
   * @param footer lines below the text that fit the screen. Default: none
   */
  draw(prompt: string, edited: Edited, footer = ''): void {
    const codes = this.#rows.draw(this.layOut(prompt, edited, { footer, height: this.#screen.rows() - 1 }));
    if (codes !== '') this.#screen.screen.write(codes);
  }

  /** Returns as many rows of prompt and text as fit a height, with a footer, and the position of the cursor in them. */
  layOut(prompt: string, edited: Edited, { footer, height }: { footer: string; height: number }): Drawing {
    const { rows, place } = this.#divide(prompt, edited);
    const below = footer === '' ? [] : footer.split('\n').map((line) => makeOutputVisible(line));
    const most = Math.max(1, height - below.length);
    const from = Math.max(0, Math.min(place.row - Math.floor(most / 2), rows.length - most));
    return { rows: [...rows.slice(from, from + most), ...below], row: place.row - from, column: place.column };
  }

  /** Returns the index in the text that is one row above (-1) or below (1) the cursor; undefined if there is no row. */
  findInRow(prompt: string, edited: Edited, by: -1 | 1): number | undefined {
    const { place, places } = this.#divide(prompt, edited);
    const inRow = places.filter(({ row }) => row === place.row + by);
    return (inRow.findLast(({ column }) => column <= place.column) ?? inRow[0])?.at;
  }

  /** Divides prompt and text into rows, with the place of the cursor and of each character. */
  #divide(prompt: string, { text, cursor }: Edited) {
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
    const places: { readonly at: number; row: number; column: number }[] = [];
    let at = 0;
    for (const character of text) {
      places.push({ at, row: rows.length - 1, column: width });
      at += character.length;
      if (character === '\n') {
        rows.push(CONTINUED);
        width = measureWidth(CONTINUED);
      } else add(character === '\t' ? drawn`  ` : makeVisible(character));
    }
    places.push({ at, row: rows.length - 1, column: width });
    for (const place of places) {
      // A full row has no room for the cursor after its text.
      if (place.column < columns) continue;
      if (place.at === cursor && place.row === rows.length - 1) rows.push(drawn``);
      place.row++;
      place.column = 0;
    }
    return { rows, places, place: places.find((one) => one.at === cursor)! };
  }
}

/** Words, each with the blank after it. */
const WORDS = /[^ ]* ?/g;
