import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { makeVisible, measureWidth } from './terminal-text.ts';

/** Where a text is drawn. */
export interface DrawingScreen {
  readonly screen: Writable;
  readonly columns: () => number;
  readonly rows: () => number;
}

/** The prompt of lines after the first. */
const CONTINUED = '… ';

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
  erase(): string {
    const { row } = this.#drawn;
    this.#drawn = NOTHING;
    return `\r${row > 0 ? `\u001B[${row}A` : ''}\u001B[J`;
  }

  /** Draws what has changed since the last time: of the first row that differs its end, and all below it. */
  draw(prompt: string, edited: { readonly text: string; readonly cursor: number }): void {
    const before = this.#drawn;
    const after = this.#layOut(prompt, edited);
    const { rows } = after;
    let first = 0;
    while (first < rows.length && rows[first] === before.rows[first]) first++;
    let codes = '';
    let at: Place = before;
    if (first < Math.max(rows.length, before.rows.length)) {
      const [old = '', ...others] = before.rows.slice(first);
      const fresh = rows[first] ?? '';
      const same = first < before.rows.length && fresh.startsWith(old) && others.length === 0 ? old : '';
      const isNewRow = first >= before.rows.length && first > 0;
      const from = isNewRow ? first - 1 : first;
      codes += moveTo(at, { row: from, column: isNewRow ? 0 : measureWidth(stripVTControlCharacters(same)) });
      if (isNewRow) codes += '\r\n';
      else if (same === '') codes += '\u001B[J';
      codes += [fresh.slice(same.length), ...rows.slice(first + 1)].join('\r\n');
      const last = Math.max(first, rows.length - 1);
      at = { row: last, column: measureWidth(stripVTControlCharacters(rows[last] ?? '')) };
    }
    this.#screen.screen.write(codes + moveTo(at, after));
    this.#drawn = after;
  }

  /** The rows of prompt and text at the width of the screen, as many as it can hold, and where the cursor is in them. */
  #layOut(prompt: string, { text, cursor }: { readonly text: string; readonly cursor: number }): Drawn {
    const columns = Math.max(4, this.#screen.columns());
    const rows: string[] = [''];
    let width = 0;
    const add = (shown: string): void => {
      const own = measureWidth(stripVTControlCharacters(shown));
      if (width + own > columns) {
        rows.push('');
        width = 0;
      }
      rows[rows.length - 1] += shown;
      width += own;
    };
    for (const [word] of prompt.matchAll(WORDS)) {
      if (measureWidth(stripVTControlCharacters(word)) <= columns) add(word);
      else for (const character of stripVTControlCharacters(word)) add(character);
    }
    let place: Place | undefined;
    let at = 0;
    for (const character of text) {
      if (at === cursor) place = { row: rows.length - 1, column: width };
      at += character.length;
      if (character === '\n') {
        rows.push(CONTINUED);
        width = measureWidth(CONTINUED);
      } else add(character === '\t' ? '  ' : makeVisible(character));
    }
    place ??= { row: rows.length - 1, column: width };
    if (place.column >= columns) {
      // A full row has no place for the cursor behind it.
      if (place.row === rows.length - 1) rows.push('');
      place = { row: place.row + 1, column: 0 };
    }
    // Only what the screen can hold can be drawn again.
    const most = Math.max(1, this.#screen.rows() - 1);
    const from = Math.max(0, Math.min(place.row - Math.floor(most / 2), rows.length - most));
    return { rows: rows.slice(from, from + most), row: place.row - from, column: place.column };
  }
}

/** A row and a column from the start of what is drawn. */
interface Place {
  readonly row: number;
  readonly column: number;
}

interface Drawn extends Place {
  readonly rows: readonly string[];
}

const NOTHING: Drawn = { rows: [], row: 0, column: 0 };

/** Words, each with the blanks behind it. */
const WORDS = /[^ ]* ?/g;

function moveTo(from: Place, to: Place): string {
  if (from.row === to.row && from.column === to.column) return '';
  const rows = to.row - from.row;
  const vertical = rows === 0 ? '' : rows < 0 ? `\u001B[${-rows}A` : `\u001B[${rows}B`;
  return `${vertical}\r${to.column > 0 ? `\u001B[${to.column}C` : ''}`;
}
