import { drawn, joinHarmless, makeVisible, measureWidth, wrapLine, type TerminalText } from './terminal-text.ts';

const DIM = drawn`\u001B[2m`;
const RESET = drawn`\u001B[0m`;
const NOTHING = drawn``;
/** Most lines that are shown, and the share of the screen that they may take. */
const MOST_LINES = 10;
const SHARE = 0.5;
/** Characters that are divided into lines at most. */
const LONGEST = 16_384;
/** Characters that take one column in every terminal. */
const PLAIN = /^[ -~]*$/;

/** Codes that a terminal shows at once, where it can (synchronized output); others show them as they come. */
export function inOneFrame(codes: TerminalText): TerminalText {
  return drawn`\u001B[?2026h${codes}\u001B[?2026l`;
}

/** The terminal that the area is at the end of. */
export interface Screen {
  readonly color: boolean;
  columns(): number;
  rows(): number;
  write(text: TerminalText): void;
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
  /** Where the part of the text begins that is divided into lines. */
  #from = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get isShown(): boolean {
    return this.#shown.length > 0;
  }

  /** Shows the end of a text, which is longer than the one before, or another one. */
  show(text: string): void {
    const columns = this.#screen.columns();
    const lines = wrapWords(makeVisible(this.#takeEnd(text)).replaceAll('\t', '  ').trimEnd(), columns - 1);
    const most = Math.max(1, Math.min(MOST_LINES, Math.floor(this.#screen.rows() * SHARE)));
    const above = Math.max(0, lines.length - most);
    const wanted = lines.slice(above);
    const shift = above - this.#above;
    const isResized = this.#columns !== columns;
    const isGrown =
      this.isShown && !isResized && shift >= 0 && shift < this.#shown.length && this.#continues(wanted, shift);
    if (!isGrown) {
      const fresh = joinHarmless(wanted.map(makeVisible), drawn`\n`);
      const frame = drawn`${this.#eraseCodes()}${this.#screen.color ? DIM : NOTHING}${fresh}`;
      this.#columns = columns;
      this.#screen.write(this.#screen.color ? inOneFrame(frame) : frame);
    } else this.#grow(wanted, shift);
    this.#shown = wanted;
    this.#above = above;
  }

  /** The end of a long text: what is far above the screen need not be divided into lines again for each frame. */
  #takeEnd(text: string): string {
    if (text.length < this.#from) this.#from = 0;
    if (text.length - this.#from > LONGEST) {
      const from = text.length - LONGEST / 2;
      const next = Math.max(text.lastIndexOf('\n', from), text.lastIndexOf(' ', from)) + 1;
      if (next > this.#from) this.#from = next;
    }
    return text.slice(this.#from);
  }

  erase(): void {
    if (!this.isShown) return;
    this.#screen.write(this.#eraseCodes());
    this.#shown = [];
    this.#above = 0;
  }

  #eraseCodes(): TerminalText {
    if (!this.isShown) return NOTHING;
    // After a resize, a line may take several rows.
    const columns = Math.max(1, this.#screen.columns());
    const rows = this.#shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(measureWidth(line) / columns)), 0);
    const up = rows > 1 ? drawn`\u001B[${rows - 1}A` : NOTHING;
    return drawn`${this.#screen.color ? RESET : NOTHING}\r${up}\u001B[J`;
  }

  /** True when the lines on the screen, but for the last, are the first of the wanted ones. */
  #continues(wanted: readonly string[], shift: number): boolean {
    const kept = this.#shown.slice(shift, -1);
    return wanted.length > kept.length && kept.every((line, index) => wanted[index] === line);
  }

  #grow(wanted: readonly string[], shift: number): void {
    const last = this.#shown.at(-1)!;
    const at = this.#shown.length - 1 - shift;
    let frame = NOTHING;
    if (shift > 0) {
      const up = this.#shown.length - 1;
      // The first lines are taken out, and those below move up; then back behind the last one.
      const back = at > 0 ? drawn`\u001B[${at}B` : NOTHING;
      frame = drawn`\r${up > 0 ? drawn`\u001B[${up}A` : NOTHING}\u001B[${shift}M${back}`;
      // Terminals disagree about the width of some characters.
      frame = drawn`${frame}${PLAIN.test(last) && last !== '' ? drawn`\u001B[${last.length}C` : makeVisible(last)}`;
    }
    const line = wanted[at]!;
    const isLonger = line.startsWith(last);
    frame = drawn`${frame}${isLonger ? makeVisible(line.slice(last.length)) : drawn`\r${makeVisible(line)}\u001B[K`}`;
    for (const next of wanted.slice(at + 1)) frame = drawn`${frame}\n${makeVisible(next)}`;
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
