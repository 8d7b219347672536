/** What a mark stands for. What a `line` is, is found out when the walk comes to it. */
export type MarkRole = (typeof ROLES)[number];

/** Where a mark stands in the whole text. */
export interface MarkPlace {
  /** From 1. */
  readonly line: number;
  readonly start: number;
  /** Offset of the line break that ends the line. */
  readonly end: number;
}

const ROLES = ['line', 'open', 'broken', 'close', 'fence', 'shown', 'blank'] as const;
const COLUMNS = 5;

/**
 * The lines of a text that may be more than prose, in their order.
 *
 * Kept as a table of numbers, because a text may have as many marks as lines.
 */
export class MarkTable {
  /** Labels of closing tags, by index. */
  readonly labels = new Map<number, string>();
  /** Lines that held terminal codes, as a terminal shows them, by index. */
  readonly visible = new Map<number, string>();
  readonly #verbs: string[] = [''];
  readonly #verbNumbers = new Map<string, number>();
  #rows = new Int32Array(64 * COLUMNS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the next mark; `verb` is that of the body it opens or closes. */
  add(role: MarkRole, { line, start, end }: MarkPlace, verb = ''): void {
    const at = this.#size++ * COLUMNS;
    if (at === this.#rows.length) {
      const rows = new Int32Array(at * 2);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    this.#rows[at] = start;
    this.#rows[at + 1] = end;
    this.#rows[at + 2] = line;
    this.#rows[at + 3] = ROLES.indexOf(role);
    this.#rows[at + 4] = this.#numberOf(verb);
  }

  startOf(index: number): number {
    return this.#rows[index * COLUMNS]!;
  }

  placeOf(index: number): MarkPlace {
    const at = index * COLUMNS;
    return { start: this.#rows[at]!, end: this.#rows[at + 1]!, line: this.#rows[at + 2]! };
  }

  roleOf(index: number): MarkRole {
    return ROLES[this.#rows[index * COLUMNS + 3]!]!;
  }

  verbOf(index: number): string {
    return this.#verbs[this.#rows[index * COLUMNS + 4]!]!;
  }

  #numberOf(verb: string): number {
    if (verb === '') return 0;
    const known = this.#verbNumbers.get(verb);
    if (known !== undefined) return known;
    this.#verbNumbers.set(verb, this.#verbs.length);
    return this.#verbs.push(verb) - 1;
  }
}
