import { getPageLength } from '../text-size/units.ts';

/** A piece of a text: whole lines, or a part of one line that is longer than a page. */
export type Page =
  | { readonly kind: 'lines'; readonly body: string; readonly first: number; readonly last: number }
  | {
      readonly kind: 'characters';
      readonly body: string;
      readonly line: number;
      readonly first: number;
      readonly last: number;
      /** Characters of the whole line. */
      readonly length: number;
    };

/**
 * A text that can be read in pages of a limited number of characters (UTF-16 code units). Line feeds belong to no line,
 * except the one that ends the text; so the bodies of pages, joined by line feeds, are the text.
 */
export class PagedText {
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #pageLength: number;

  /** @param length most characters of a page */
  constructor(text: string, length: number = getPageLength()) {
    this.#text = text;
    this.#pageLength = length;
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  /** Number of lines; at least 1. */
  get lineCount(): number {
    return this.#starts.length;
  }

  /** Number of characters of a line. */
  lineLength(line: number): number {
    return this.#end(line) - this.#start(line);
  }

  /** As many whole lines as fit a page, from `first` to `last` at most; a part of `first` if it is too long. */
  readLines(first: number, last: number): Page {
    const start = this.#start(first);
    let end = first;
    if (this.lineLength(first) > this.#pageLength) return this.readCharacters(first, 1);
    const final = Math.min(last, this.lineCount);
    while (end < final && this.#end(end + 1) - start <= this.#pageLength) end++;
    // The next page would hardly have anything.
    if (this.#end(final) - this.#end(end) <= this.#pageLength / 10) end = final;
    return { kind: 'lines', body: this.#text.slice(start, this.#end(end)), first, last: end };
  }

  /** As much of a line as fits a page, from a character on; no code point is cut in two. */
  readCharacters(line: number, character: number): Page {
    const start = this.#start(line);
    const from = this.#wholePoint(start + character - 1);
    const to = this.#wholePoint(Math.min(from + this.#pageLength, this.#end(line)));
    const body = this.#text.slice(from, to);
    return { kind: 'characters', body, line, first: from - start + 1, last: to - start, length: this.lineLength(line) };
  }

  #start(line: number): number {
    return this.#starts[line - 1]!;
  }

  #end(line: number): number {
    return line === this.lineCount ? this.#text.length : this.#starts[line]! - 1;
  }

  /** The position itself, or the one before it when it is inside a surrogate pair. */
  #wholePoint(at: number): number {
    const inside = at > 0 && at < this.#text.length && this.#text.codePointAt(at - 1)! > 0xffff;
    return inside ? at - 1 : at;
  }
}
