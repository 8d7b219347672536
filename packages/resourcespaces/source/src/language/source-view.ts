import type { DocComments } from './doc-comments.ts';
import type { Declaration, Span } from './outline.ts';

/** A part of a program, as far as its place matters. */
export interface Placed {
  readonly start: number;
  readonly end: number;
}

/** What a declaration is made of. */
export interface DeclarationParts {
  /** All of it but comments and decorators that stand before it. */
  readonly node: Placed;
  readonly keyword?: string;
  readonly decorators?: readonly Placed[] | undefined;
  /** From the name to the body. */
  readonly head: Span;
}

/** A text and its comments, from which declarations are cut. */
export class SourceView {
  readonly text: string;
  readonly #docs: DocComments;

  constructor(text: string, docs: DocComments) {
    this.text = text;
    this.#docs = docs;
  }

  /** All that belongs to a declaration: doc comment and decorators too. */
  declaration({ node, keyword = '', decorators = [], head }: DeclarationParts): Declaration {
    const start = Math.min(node.start, ...decorators.map(({ start }) => start));
    const doc = this.#docs.before(start);
    return {
      start: doc?.start ?? start,
      end: node.end,
      keyword,
      head: { start: head.start, end: head.end },
      ...(doc !== undefined && { doc: { start: doc.start, end: doc.end } }),
    };
  }
}
