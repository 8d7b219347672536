import { measureShown, ScreenRows, type Drawing } from './screen-rows.ts';
import { drawn, makeVisible, measureWidth, wrapLine, type TerminalText } from './terminal-text.ts';

const DIM = drawn`\u001B[2m`;
const RESET = drawn`\u001B[0m`;
const NOTHING = drawn``;
const NO_INPUT: Drawing = { rows: [], row: 0, column: 0 };
/** Maximum number of displayed lines; below it, their maximum share of the screen. */
const MOST_LINES = 10;
const SHARE = 0.5;

/**
 * Codes around output that a terminal with synchronized output shows at once; other terminals show it as it arrives.
 */
export const FRAME = { begin: drawn`\u001B[?2026h`, end: drawn`\u001B[?2026l` };

export function inOneFrame(codes: TerminalText): TerminalText {
  return drawn`${FRAME.begin}${codes}${FRAME.end}`;
}

/** End of a growing text, in rows of a terminal. */
export interface StreamedRows {
  readonly rows: readonly TerminalText[];
  /** Number of rows above them, which are not rendered any more. */
  readonly above: number;
}

export const NO_ROWS: StreamedRows = { rows: [], above: 0 };

/** Terminal with the live area at its end. */
export interface Screen {
  readonly color: boolean;
  columns(): number;
  rows(): number;
  write(text: TerminalText): void;
}

/**
 * Last lines of a growing text at the end of a terminal, with some lines below them. Unchanged output is not written
 * again: a frame has about as many bytes as the text that it adds.
 */
export class LiveArea {
  readonly #screen: Screen;
  readonly #rows: ScreenRows;
  /** Number of lines of the text above the visible ones. */
  #above = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#rows = new ScreenRows(() => screen.columns(), true);
  }

  get isShown(): boolean {
    return !this.#rows.isEmpty;
  }

  /**
   * Shows the end of a text, which extends the previous text or replaces it.
   *
   * @param text rows that fit the screen; in them, a colour is followed by a dim text
   * @param below lines that fit the screen. Default: none
   * @param input rows between them that have the cursor. Default: none, and the cursor is where the text continues
   */
  show({ rows: lines, above: before }: StreamedRows, below: readonly string[] = [], input: Drawing = NO_INPUT): void {
    const { color } = this.#screen;
    const height = this.#screen.rows();
    // One row stays for the text above, so that the area never scrolls out of itself.
    const most = Math.max(
      1,
      Math.min(MOST_LINES, Math.floor(height * SHARE), height - 1 - below.length - input.rows.length),
    );
    const shown = lines.slice(-most);
    const above = before + lines.length - shown.length;
    const gone = Math.max(0, above - this.#above);
    // What a person types is not dim.
    const typed = color ? input.rows.map((row) => drawn`${RESET}${row}${DIM}`) : input.rows;
    const rows = [...shown, ...typed, ...below.map(makeVisible)];
    const last = Math.max(0, shown.length - 1);
    const place =
      typed.length === 0
        ? { row: last, column: measureShown(rows[last] ?? '') }
        : { row: shown.length + input.row, column: input.column };
    const isFresh = !this.isShown;
    const codes = this.#rows.draw({ rows, ...place }, gone);
    this.#above = above;
    const frame = isFresh && color ? drawn`${DIM}${codes}` : codes;
    if (frame !== '') this.#screen.write(frame.includes('\u001B') ? inOneFrame(frame) : frame);
  }

  /** Returns the codes that erase the area. */
  erase(): TerminalText {
    if (!this.isShown) return NOTHING;
    this.#above = 0;
    return drawn`${this.#screen.color ? RESET : NOTHING}${this.#rows.erase()}`;
  }
}

/** Divides a text into lines of a maximum number of columns, at blanks if there are any. */
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
