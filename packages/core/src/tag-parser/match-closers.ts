import type { MarkTable } from './mark-table.ts';

/** Stands for "no closing tag". */
export const NO_CLOSER = -1;

/**
 * For every mark that opens a body, the index of the mark that closes it.
 *
 * Goes backwards through the marks once. A closing tag with a label closes the tag with that argument
 * and no other; one without closes the nearest tag of its verb that is still open, so tags nest. A
 * tag that nothing closes leaves every tag of its verb before it open too, unless their labels help.
 *
 * @param argumentOf tells the argument of the tag at an index; asked only where labels matter
 */
export function matchClosers(marks: MarkTable, argumentOf: (index: number) => string): Int32Array {
  const closers = new Int32Array(marks.size).fill(NO_CLOSER);
  /** By verb: the closing tag that a tag just before the visited mark would get. */
  const nearest = new Map<string, number>();
  /** By closing tag: what `nearest` was right behind it. */
  const behind = new Int32Array(marks.size);
  const labelled = new LabelIndex();
  for (let index = marks.size - 1; index >= 0; index--) {
    const role = marks.roleOf(index);
    if (role !== 'open' && role !== 'close' && role !== 'broken') continue;
    const verb = marks.verbOf(index);
    const next = nearest.get(verb) ?? NO_CLOSER;
    if (role === 'close') {
      behind[index] = next;
      const label = marks.labels.get(index);
      if (label === undefined) nearest.set(verb, index);
      else labelled.add(verb, label, index);
    } else {
      const closer = labelled.find(verb, () => argumentOf(index)) ?? next;
      closers[index] = closer;
      // A broken tag takes its closing tag from nobody: a line of another body may look like it.
      if (role === 'open') nearest.set(verb, behind[closer] ?? NO_CLOSER);
    }
  }
  return closers;
}

/** The first closing tag behind the visited mark, by verb and label. */
class LabelIndex {
  readonly #verbs = new Map<string, Map<string, number>>();

  add(verb: string, label: string, index: number): void {
    const labels = this.#verbs.get(verb) ?? new Map<string, number>();
    this.#verbs.set(verb, labels.set(label, index));
  }

  find(verb: string, label: () => string): number | undefined {
    return this.#verbs.get(verb)?.get(label());
  }
}
