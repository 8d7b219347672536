import { withoutMark } from './byte-order-mark.ts';

/** A file as a piece of a longer text. */
interface JoinedFile<F> {
  readonly file: F;
  /** Lines of the text before it. */
  readonly before: number;
}

const LINE_FEED = 10;
const NEXT_LINE = Buffer.from('\n');

/** Many files as one text, each beginning on a line of its own. */
export class JoinedFiles<F> {
  readonly #files: JoinedFile<F>[] = [];
  #lines = 0;

  /**
   * The pieces that a file's content adds to the text: without the mark at its beginning, and with a line break
   * at its end.
   */
  add(file: F, bytes: Uint8Array): readonly Uint8Array[] {
    this.#files.push({ file, before: this.#lines });
    const content = withoutMark(bytes);
    for (let at = content.indexOf(LINE_FEED); at !== -1; at = content.indexOf(LINE_FEED, at + 1)) this.#lines++;
    if (content.length === 0 || content.at(-1) === LINE_FEED) return [content];
    this.#lines++;
    return [content, NEXT_LINE];
  }

  /** The file and line that a line of the text comes from, 1-based. */
  at(line: number): { readonly file: F; readonly line: number } {
    // Searched by halves: there may be thousands of files, and each of tens of thousands of rows asks.
    let [low, high] = [0, this.#files.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#files[middle] as JoinedFile<F>).before < line) low = middle;
      else high = middle;
    }
    const { file, before } = this.#files[low] as JoinedFile<F>;
    return { file, line: line - before };
  }
}
