import type { Comment } from 'oxc-parser';
import type { Span } from './outline.ts';
import { findLastAtMost } from './text-spans.ts';

/** A text with its comments. */
export class CommentedText {
  readonly text: string;
  readonly #comments: readonly Comment[];
  readonly #ends: readonly number[];

  /** @param comments in the order of the text */
  constructor(text: string, comments: readonly Comment[]) {
    this.text = text;
    this.#comments = comments;
    this.#ends = comments.map(({ end }) => end);
  }

  /**
   * The doc comment of the declaration that begins at an index: the last one before it, with only blanks and other
   * comments in between. A doc comment about the file does not count.
   */
  docBefore(index: number): Span | undefined {
    let from = index;
    for (let at = findLastAtMost(this.#ends, index); at >= 0; at--) {
      const comment = this.#comments[at] as Comment;
      if (this.text.slice(comment.end, from).trim() !== '') return undefined;
      if (isDoc(comment)) return this.#isOwn(comment) ? comment : undefined;
      from = comment.start;
    }
    return undefined;
  }

  get firstDoc(): Span | undefined {
    return this.#comments.find(isDoc);
  }

  /** The comment at the very top, unless it is a directive for tools. */
  get topComment(): Span | undefined {
    const top = this.#comments[0];
    if (top === undefined || DIRECTIVE.test(top.value)) return undefined;
    const before = this.text.slice(0, top.start).replace(/^\uFEFF?(?:#!.*)?/, '');
    return before.trim() === '' ? { start: top.start, end: this.#endOfBlock() } : undefined;
  }

  /** A comment behind something on its line is about that; TypeScript has the same rule. */
  #isOwn({ start, value }: Comment): boolean {
    const line = this.text.slice(this.text.lastIndexOf('\n', start - 1) + 1, start);
    return line.replaceAll(/\/\*.*?\*\/|\uFEFF/g, '').trim() === '' && !ABOUT_FILE.test(value);
  }

  /** Where the first comment ends; line comments on successive lines are one comment. */
  #endOfBlock(): number {
    let last = 0;
    for (let next = this.#comments[1]; next?.type === 'Line'; next = this.#comments[last + 1]) {
      if (!/^\r?\n[^\S\n]*$/.test(this.text.slice(this.#comments[last]!.end, next.start))) break;
      last++;
    }
    return this.#comments[last]!.end;
  }
}

const ABOUT_FILE = /@(?:file|fileoverview|module|packageDocumentation|license)\b/;
const DIRECTIVE =
  /^[!*\s]*(?:eslint|oxlint|prettier|biome|jshint|global|@ts-|@jsx|@flow|@vitest|@license|copyright|#\s*source|\/\s*<)/i;

function isDoc({ type, value }: Comment): boolean {
  return type === 'Block' && value.startsWith('*') && !value.startsWith('**') && value.length > 1;
}
