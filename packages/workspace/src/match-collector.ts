import type { FoundFile } from './found-file.ts';

/** What a search has found, to be shown in parts. */
export interface Matches {
  /** The files whose first matches are shown, by path; rows as they are shown. */
  readonly shown: readonly FoundFile[];
  /** Matching lines in all, shown or not. */
  readonly matches: number;
  /** Files with a match. */
  readonly files: number;
  /** Files that were looked into. */
  readonly searched: number;
}

/** Rows that are kept besides, so that files are not sorted for every few. */
const ROOM = 1000;

/** Keeps the first rows of a search by path and line, whatever the order they come in, and counts them all. */
export class MatchCollector {
  readonly #limit: number;
  #shown: FoundFile[] = [];
  #rows = 0;
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

  /** Takes in one file with matches; rows over the limit may be left out. */
  add(file: FoundFile): void {
    const rows = file.rows.slice(0, this.#limit);
    this.#files++;
    this.#matches += file.matches;
    this.#shown.push({ ...file, rows });
    this.#rows += rows.length;
    if (this.#rows > this.#limit * 2 + ROOM) this.#keepFirst();
  }

  finish(): Matches {
    this.#keepFirst();
    return { shown: this.#shown, matches: this.#matches, files: this.#files, searched: this.#searched };
  }

  #keepFirst(): void {
    const kept: FoundFile[] = [];
    this.#rows = 0;
    for (const file of this.#shown.toSorted(byPath)) {
      const rows = file.rows.slice(0, this.#limit - this.#rows);
      if (rows.length === 0) continue;
      kept.push({ ...file, rows });
      this.#rows += rows.length;
    }
    this.#shown = kept;
  }
}

function byPath(a: FoundFile, b: FoundFile): number {
  return a.path < b.path ? -1 : 1;
}
