import type { GrepResult, GrepRow } from './grep-result.ts';

/** Keeps the first rows of a search by path and line, whatever the order they come in, and counts them all. */
export class MatchCollector {
  readonly #limit: number;
  #rows: GrepRow[] = [];
  #matches = 0;
  #files = 0;
  #searched = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts files that were looked into. */
  looked(files: number): void {
    this.#searched += files;
  }

  /**
   * Takes in one file with matches.
   *
   * @param rows its first matches, in order; those over the limit may be left out
   * @param matches how many it has in all
   */
  add(rows: readonly GrepRow[], matches: number): void {
    this.#files++;
    this.#matches += matches;
    this.#rows.push(...rows.slice(0, this.#limit));
    if (this.#rows.length > this.#limit * 20) this.#rows = this.#first();
  }

  finish(): GrepResult {
    return { rows: this.#first(), matches: this.#matches, files: this.#files, searched: this.#searched };
  }

  #first(): GrepRow[] {
    return this.#rows.toSorted(byPlace).slice(0, this.#limit);
  }
}

function byPlace(a: GrepRow, b: GrepRow): number {
  if (a.path === b.path) return a.line - b.line;
  return a.path < b.path ? -1 : 1;
}
