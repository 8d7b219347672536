import { isBlank, skipBlanks } from './characters.ts';

/** Puts together what is left of a text: never two blank lines in a row, none at either end. */
export class ProseBuilder {
  readonly #text: string;
  readonly #pieces: string[] = [];
  /** Offset up to which the text has been dealt with. */
  #from = 0;
  #endsBlank = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Leaves out a part of whole lines. */
  cut(start: number, end: number): void {
    this.#take(start);
    this.#from = end;
  }

  /** Puts another line in the place of a part of whole lines. */
  replace(start: number, end: number, line: string): void {
    this.cut(start, end);
    const isEmpty = skipBlanksTo(line, 0, line.length) === line.length;
    if (isEmpty && this.#endsBlank) return;
    this.#pieces.push(line, '\n');
    this.#endsBlank = isEmpty;
  }

  /** Makes one blank line of several. */
  collapse(start: number, end: number): void {
    this.replace(start, end, '');
  }

  /** Leaves out everything from here on. */
  stop(start: number): void {
    this.cut(start, this.#text.length);
  }

  /** The prose as a whole. */
  finish(): string {
    this.#take(this.#text.length);
    const pieces = this.#pieces;
    while (pieces.length > 0 && trimmedEnd(pieces.at(-1)!) === 0) pieces.pop();
    const last = pieces.pop() ?? '';
    pieces.push(last.slice(0, trimmedEnd(last)));
    pieces[0] = pieces[0]!.slice(skipBlanks(pieces[0]!, 0));
    // Unlike `join`, `+=` copies nothing before somebody reads the text.
    let prose = '';
    for (const piece of pieces) prose += piece;
    return prose;
  }

  #take(end: number): void {
    const start = this.#endsBlank ? skipBlankLines(this.#text, this.#from, end) : this.#from;
    if (start >= end) return;
    this.#pieces.push(this.#text.slice(start, end));
    this.#endsBlank = endsWithBlankLine(this.#text, start, end);
  }
}

function skipBlankLines(text: string, from: number, to: number): number {
  let lineStart = from;
  for (;;) {
    const index = skipBlanksTo(text, lineStart, to);
    if (index >= to) return to;
    if (text.charCodeAt(index) !== 10) return lineStart;
    lineStart = index + 1;
  }
}

function endsWithBlankLine(text: string, from: number, to: number): boolean {
  let index = to - 2;
  while (index >= from && isBlank(text.charCodeAt(index))) index--;
  return index < from || text.charCodeAt(index) === 10;
}

function skipBlanksTo(text: string, from: number, to: number): number {
  let index = from;
  while (index < to && isBlank(text.charCodeAt(index))) index++;
  return index;
}

function trimmedEnd(piece: string): number {
  let end = piece.length;
  while (end > 0 && (piece.charCodeAt(end - 1) === 10 || isBlank(piece.charCodeAt(end - 1)))) end--;
  return end;
}
