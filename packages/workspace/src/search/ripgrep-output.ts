import { type FoundRow, type MatchingText, matchTexts } from './match-rows.ts';

const LINE_FEED = 10;
const COLON = 58;
const CARRIAGE_RETURN = 13;
/** Bytes on either side of a match that are enough to show it, for every character that is shown. */
const NEAR = 5;

/** Understands what ripgrep says with `--line-number` and `--column`: `12:5:` and the line. */
export class RipgrepRows {
  readonly #rows: FoundRow[] = [];
  readonly #width: number;
  #pending: Buffer = Buffer.alloc(0);

  /** @param width most characters of a row */
  constructor(width: number) {
    this.#width = width;
  }

  /** Takes the next piece of output. */
  take(bytes: Buffer): void {
    const text = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    let start = 0;
    for (let end = text.indexOf(LINE_FEED); end !== -1; end = text.indexOf(LINE_FEED, start)) {
      this.#rows.push(rowOf(text.subarray(start, end), this.#width));
      start = end + 1;
    }
    this.#pending = text.subarray(start);
  }

  /** The rows so far. */
  get rows(): readonly FoundRow[] {
    return this.#rows;
  }
}

function rowOf(bytes: Buffer, width: number): FoundRow {
  const first = bytes.indexOf(COLON);
  const second = bytes.indexOf(COLON, first + 1);
  const column = Number(bytes.toString('latin1', first + 1, second));
  const line = bytes.subarray(second + 1, bytes.at(-1) === CARRIAGE_RETURN ? -1 : undefined);
  return { line: Number(bytes.toString('latin1', 0, first)), ...shown(line, column - 1, width) };
}

/** Only what is near the match becomes a string: lines may be very long. */
function shown(line: Buffer, start: number, width: number): MatchingText {
  const near = NEAR * width;
  const from = characterAt(line, Math.max(start - near, 0));
  const at = line.toString('utf8', from, start).length;
  return matchTexts(line.toString('utf8', from, start + near), at, width);
}

/** The index, or the next one at which a character begins. */
function characterAt(bytes: Buffer, index: number): number {
  let at = index;
  while (at < index + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

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

/** What ripgrep says by the way about a path below the root. */
export type RipgrepRemark =
  /** It holds a NUL, so it was not searched to its end, and its matches do not count. */
  | { readonly kind: 'binary'; readonly path: string; readonly offset: number }
  /** It is larger than it may be. */
  | { readonly kind: 'large'; readonly path: string }
  /** A pattern of ours excludes it. */
  | { readonly kind: 'excluded'; readonly path: string };

const IGNORING = /^rg: DEBUG\|[^ ]*: ignoring \.\/(.*): (?:found binary data at offset (\d+)|(\d+) bytes|Ignore\(IgnoreMatch\(Override\(.*)$/; // prettier-ignore

/**
 * Understands a line that ripgrep says because of `--debug`; undefined for what it says of other things.
 *
 * It is the only way to learn of files that it passes over. Were it worded differently one day, files with a NUL
 * far behind their beginning would be left out, and secrets that are left out would not be mentioned.
 */
export function ripgrepRemark(line: string): RipgrepRemark | undefined {
  const [whole, path = '', offset, size] = IGNORING.exec(line) ?? [];
  if (whole === undefined) return undefined;
  if (offset !== undefined) return { kind: 'binary', path, offset: Number(offset) };
  return { kind: size === undefined ? 'excluded' : 'large', path };
}
