const LINE_FEED = 10;
const SEARCHED = /\n(\d+) files? searched\n/;

/** Understands what ripgrep says with `--count`, `--null` and `--stats`. */
export class RipgrepCounts {
  readonly #onFile: (path: string, matches: number) => void;
  #pending: Buffer = Buffer.alloc(0);

  /** @param onFile gets every file with matches, by its path below the root, and how many lines match */
  constructor(onFile: (path: string, matches: number) => void) {
    this.#onFile = onFile;
  }

  /** Takes the next piece of output. */
  take(bytes: Buffer): void {
    const text = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    let start = 0;
    for (;;) {
      const end = text.indexOf(0, start);
      const next = end === -1 ? -1 : text.indexOf(LINE_FEED, end);
      if (next === -1) break;
      const path = text.toString('utf8', start, end).replace(/^\.\//, '');
      this.#onFile(path, Number(text.toString('latin1', end + 1, next)));
      start = next + 1;
    }
    this.#pending = text.subarray(start);
  }

  /** How many files were looked into, once all was taken. */
  get searched(): number {
    return Number(SEARCHED.exec(this.#pending.toString('latin1'))?.[1] ?? 0);
  }
}
