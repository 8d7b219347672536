import type { Comment } from 'oxc-parser';
import type { Span } from './outline.ts';

/** The comments of a text, asked for what belongs to a declaration. */
export class DocComments {
  readonly #comments: readonly Comment[];
  readonly #text: string;

  /** @param comments in the order of the text */
  constructor(comments: readonly Comment[], text: string) {
    this.#comments = comments;
    this.#text = text;
  }

  /**
   * The doc comment of what begins at an index: the last one before it, with nothing but blanks and other comments
   * in between. One that says it is about the file is not meant.
   */
  before(index: number): Span | undefined {
    let from = index;
    for (let at = this.#lastBefore(index); at >= 0; at--) {
      const comment = this.#comments[at] as Comment;
      const between = this.#text.slice(comment.end, from);
      if (between.trim() !== '') return undefined;
      if (isDoc(comment)) return this.#isOwn(comment) ? comment : undefined;
      from = comment.start;
    }
    return undefined;
  }

  /** The first doc comment. */
  get first(): Span | undefined {
    return this.#comments.find(isDoc);
  }

  /** A comment at the very top, unless it is for programs. */
  get top(): Span | undefined {
    const top = this.#comments[0];
    if (top === undefined || FOR_PROGRAMS.test(top.value)) return undefined;
    const before = this.#text.slice(0, top.start).replace(/^\uFEFF?(?:#!.*)?/, '');
    return before.trim() === '' ? { start: top.start, end: this.#endOfBlock(0) } : undefined;
  }

  /** A comment that follows something on its line is about that; TypeScript sees it the same way. */
  #isOwn({ start, value }: Comment): boolean {
    const line = this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start);
    return line.replaceAll(/\/\*.*?\*\/|\uFEFF/g, '').trim() === '' && !ABOUT_FILE.test(value);
  }

  /** Line comments on lines that follow one another are one comment. */
  #endOfBlock(first: number): number {
    let last = first;
    for (let next = this.#comments[first + 1]; next?.type === 'Line'; next = this.#comments[last + 1]) {
      if (!/^\r?\n[^\S\n]*$/.test(this.#text.slice(this.#comments[last]!.end, next.start))) break;
      last++;
    }
    return this.#comments[last]!.end;
  }

  /** Index of the last comment that ends before a place, -1 for none. */
  #lastBefore(index: number): number {
    let [low, high] = [0, this.#comments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#comments[middle] as Comment).end <= index) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

const ABOUT_FILE = /@(?:file|fileoverview|module|packageDocumentation|license)\b/;
const FOR_PROGRAMS =
  /^[!*\s]*(?:eslint|oxlint|prettier|biome|jshint|global|@ts-|@jsx|@flow|@vitest|@license|copyright|#\s*source|\/\s*<)/i;

function isDoc({ type, value }: Comment): boolean {
  return type === 'Block' && value.startsWith('*') && !value.startsWith('**') && value.length > 1;
}
