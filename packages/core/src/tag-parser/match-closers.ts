import type { Mark } from './mark.ts';

/** Stands for "no closing tag". */
export const NO_CLOSER = -1;

/**
 * For every mark that opens a body, the index of the mark that closes it.
 *
 * Goes backwards through the text once. A closing tag with a label closes the tag with that argument
 * and no other; one without closes the nearest tag of its verb that is still open, so tags nest. A
 * tag that nothing closes stays open, and with it every tag of its verb before it that has no closing
 * tag with its label.
 */
export function matchClosers(marks: readonly Mark[]): Int32Array {
  const closers = new Int32Array(marks.length).fill(NO_CLOSER);
  const search = new CloserSearch(closers);
  for (let index = marks.length - 1; index >= 0; index--) search.visit(index, marks[index]!);
  return closers;
}

class CloserSearch {
  readonly #closers: Int32Array;
  /** By verb: the closing tag that a tag just before the visited mark would get. */
  readonly #nearest = new Map<string, number>();
  /** By verb and label: the first closing tag behind the visited mark. */
  readonly #labelled = new Map<string, number>();
  /** By closing tag: what `#nearest` was right behind it. */
  readonly #behind = new Map<number, number>();

  constructor(closers: Int32Array) {
    this.#closers = closers;
  }

  visit(index: number, { what }: Mark): void {
    if (what.kind === 'close') {
      this.#behind.set(index, this.#nearestOf(what.verb));
      if (what.label === undefined) this.#nearest.set(what.verb, index);
      else this.#labelled.set(key(what.verb, what.label), index);
      return;
    }
    if (what.kind === 'open' || (what.kind === 'near-miss' && !what.isClosed)) {
      const { verb, arg } = what.tag;
      const closer = this.#labelled.get(key(verb, arg)) ?? this.#nearestOf(verb);
      this.#closers[index] = closer;
      this.#nearest.set(verb, this.#behind.get(closer) ?? NO_CLOSER);
    }
    // A broken tag takes its closing tag from nobody: a line of another body may look like it.
    if (what.kind === 'broken') this.#closers[index] = this.#nearestOf(what.tag.verb);
  }

  #nearestOf(verb: string): number {
    return this.#nearest.get(verb) ?? NO_CLOSER;
  }
}

function key(verb: string, label: string): string {
  return `${verb}:${label}`;
}
