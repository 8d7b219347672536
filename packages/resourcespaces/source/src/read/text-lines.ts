import { splitLines } from '@bae/workspace';

/** The lines of a text by number, 1-based. */
export class TextLines {
  /** Each with the line feed that ends it. */
  readonly all: readonly string[];
  readonly #starts: readonly number[];
  readonly #end: number;

  constructor(text: string) {
    this.all = splitLines(text);
    this.#end = text.length;
    let at = 0;
    this.#starts = this.all.map((line) => (at += line.length) - line.length);
  }

  /** The line that an index is in. */
  lineAt(index: number): number {
    let [low, high] = [0, Math.max(this.#starts.length, 1)];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= index) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** The index that a line begins at; the end of the text for one that is not there. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#end;
  }
}
