/** A file, and how many of its lines match. */
export interface MatchingFile {
  /** Below the root, without links. */
  readonly path: string;
  readonly matches: number;
}

/** Counts files with matches, and keeps the first of them by path. */
export class MatchingFiles {
  readonly #kept: number;
  readonly #onFirst: () => void;
  #first: MatchingFile[] = [];
  #last: string | undefined;
  #matches = 0;
  #files = 0;

  /**
   * @param kept how many files to keep
   * @param onFirst hears of the first one
   */
  constructor(kept: number, onFirst: () => void = () => undefined) {
    this.#kept = kept;
    this.#onFirst = onFirst;
  }

  /** Matching lines in all. */
  get matches(): number {
    return this.#matches;
  }

  get files(): number {
    return this.#files;
  }

  add(file: MatchingFile): void {
    this.#files++;
    this.#matches += file.matches;
    if (this.#files === 1) this.#onFirst();
    if (this.#last !== undefined && file.path > this.#last) return;
    this.#first.push(file);
    if (this.#first.length >= this.#kept * 10) this.first();
  }

  /** Takes a kept file out of the count again. */
  remove(file: MatchingFile): void {
    this.#files--;
    this.#matches -= file.matches;
  }

  /** The first files by path. */
  first(): readonly MatchingFile[] {
    this.#first = this.#first.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, this.#kept);
    if (this.#first.length === this.#kept) this.#last = this.#first.at(-1)?.path;
    return this.#first;
  }
}
