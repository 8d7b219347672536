import type { Position } from './language-protocol.ts';

/** Converts between offsets in a text and lines with columns, all in UTF-16 and from 0. */
export class LineIndex {
  readonly #text: string;
  readonly #starts: number[];

  constructor(text: string) {
    this.#text = text;
    // The compiler does not count a byte order mark.
    this.#starts = [text.startsWith('\uFEFF') ? 1 : 0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + end.length);
  }

  /** The offset of a position; that of the nearest one when there is no such position. */
  offsetAt({ line, character }: Position): number {
    const start = this.#starts[line];
    if (start === undefined) return this.#text.length;
    return Math.min(start + character, this.#starts[line + 1] ?? this.#text.length);
  }

  /** The position of an offset. */
  positionAt(offset: number): Position {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: Math.max(0, offset - (this.#starts[low] as number)) };
  }

  /** A line without its end; empty when there is no such line. */
  lineText(line: number): string {
    const start = this.#starts[line];
    if (start === undefined) return '';
    return this.#text.slice(start, this.#starts[line + 1] ?? this.#text.length).replace(/[\r\n]+$/, '');
  }
}
