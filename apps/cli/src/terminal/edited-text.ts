/** State of a text before a change. */
interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

const MOST_SNAPSHOTS = 500;

/** Text of one or more lines with a cursor, in UTF-16 code units. The cursor is never within a character. */
export class EditedText {
  #text = '';
  #cursor = 0;
  #undo: Snapshot[] = [];
  #isTyping = false;
  /** Text removed by the last deletion of more than one character. */
  #cut = '';

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Replaces the whole text and moves the cursor to its end. */
  set(text: string): void {
    this.#remember();
    this.#text = text;
    this.#cursor = text.length;
  }

  /** Empties the text and its undo history. */
  clear(): void {
    this.#text = '';
    this.#cursor = 0;
    this.#undo = [];
    this.#isTyping = false;
  }

  /** Puts a text before the whole text. The cursor stays where it is in the latter. */
  prepend(text: string): void {
    this.#remember();
    this.#text = text + this.#text;
    this.#cursor += text.length;
  }

  insert(text: string): void {
    // The characters of a word are undone together.
    const isWord = /^\S$/u.test(text);
    if (!isWord || !this.#isTyping) this.#remember();
    this.#isTyping = isWord;
    this.#text = this.#text.slice(0, this.#cursor) + text + this.#text.slice(this.#cursor);
    this.#cursor += text.length;
  }

  /** Moves the cursor. Returns false if it cannot go further. */
  move(to: Motion): boolean {
    const at = this.#find(to);
    this.#isTyping = false;
    if (at === this.#cursor) return false;
    this.#cursor = at;
    return true;
  }

  /** Moves the cursor to an index or, within a character, to its start. */
  moveTo(index: number): void {
    this.#isTyping = false;
    const lineStart = this.#text.lastIndexOf('\n', index - 1) + 1;
    let at = lineStart;
    for (const { length } of segmentsOf(this.#text.slice(lineStart, index + LONGEST_CHARACTER))) {
      if (at + length > index) break;
      at += length;
    }
    this.#cursor = at;
  }

  /** Deletes from the cursor to the target of a motion. */
  delete(to: Motion): void {
    const at = this.#find(to);
    if (at === this.#cursor) return;
    this.#remember();
    const [start, end] = [Math.min(at, this.#cursor), Math.max(at, this.#cursor)];
    if (to !== 'left' && to !== 'right') this.#cut = this.#text.slice(start, end);
    this.#text = this.#text.slice(0, start) + this.#text.slice(end);
    this.#cursor = start;
  }

  /** Inserts the text removed by the last deletion of more than one character. */
  paste(): void {
    if (this.#cut !== '') this.insert(this.#cut);
  }

  /** Undoes the last change. */
  undo(): void {
    const before = this.#undo.pop();
    this.#isTyping = false;
    if (before === undefined) return;
    this.#text = before.text;
    this.#cursor = before.cursor;
  }

  #remember(): void {
    this.#isTyping = false;
    this.#undo.push({ text: this.#text, cursor: this.#cursor });
    if (this.#undo.length > MOST_SNAPSHOTS) this.#undo.shift();
  }

  #find(to: Motion): number {
    const [text, at] = [this.#text, this.#cursor];
    switch (to) {
      case 'left':
        return at - lengthOfLast(text.slice(0, at));
      case 'right':
        return at + (segmentsOf(text.slice(at, at + LONGEST_CHARACTER))[0]?.length ?? 0);
      case 'wordLeft':
        return /\w*\W*$/.exec(text.slice(0, at))!.index;
      case 'wordRight':
        return at + /^\W*\w*/.exec(text.slice(at))![0].length;
      case 'lineStart':
        return text.lastIndexOf('\n', at - 1) + 1;
      default:
        return endOfLine(text, at);
    }
  }
}

/** Cursor motions: by a character or a word, or to either end of the line. */
export type Motion = 'left' | 'right' | 'wordLeft' | 'wordRight' | 'lineStart' | 'lineEnd';

/** Keys that move the cursor. */
export const MOTIONS: Readonly<Record<string, Motion>> = {
  left: 'left',
  right: 'right',
  home: 'lineStart',
  end: 'lineEnd',
  'ctrl-a': 'lineStart',
  'ctrl-e': 'lineEnd',
  'ctrl-b': 'left',
  'ctrl-f': 'right',
  'meta-b': 'wordLeft',
  'meta-f': 'wordRight',
  'ctrl-left': 'wordLeft',
  'ctrl-right': 'wordRight',
  'meta-left': 'wordLeft',
  'meta-right': 'wordRight',
};

/** Keys that go up or down a row, or through earlier texts. */
export const ROWS: Readonly<Record<string, -1 | 1>> = { up: -1, 'ctrl-p': -1, down: 1, 'ctrl-n': 1 };

/** Keys that delete up to the target of a motion. */
export const DELETIONS: Readonly<Record<string, Motion>> = {
  backspace: 'left',
  'ctrl-h': 'left',
  delete: 'right',
  'ctrl-w': 'wordLeft',
  'meta-backspace': 'wordLeft',
  'ctrl-backspace': 'wordLeft',
  'meta-d': 'wordRight',
  'ctrl-u': 'lineStart',
  'ctrl-k': 'lineEnd',
};

/** Keys that begin a new line, the first of them if the terminal tells it from Enter. */
export const NEW_LINE = new Set(['shift-return', 'ctrl-return', 'meta-return', 'ctrl-j']);

/** Maximum length of a character, in code units; the longest that people type, emoji of families, have about 30. */
const LONGEST_CHARACTER = 64;
/** Characters that are one code unit each, whatever follows them. */
const PLAIN = /^[ -~]*$/;
let segmenter: Intl.Segmenter | undefined;

function segmentsOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.split('');
  // Created on first use, because it reads the data of all languages.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function lengthOfLast(text: string): number {
  return segmentsOf(text.slice(-LONGEST_CHARACTER)).at(-1)?.length ?? 0;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
