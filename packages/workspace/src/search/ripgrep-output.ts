import type { MatchRow } from './grep-query.ts';
import { RowCollector, renderMatch } from './collect-rows.ts';

const LINE_FEED = 10;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
/** Number of bytes needed on either side of a match for each shown character. */
const NEAR = 5;
const SEARCHED = /\n(\d+) files? searched\n/;
const IGNORING = /^rg: DEBUG\|[^ ]*: ignoring \.\/(.*): (?:found binary data at offset (\d+)|(\d+) bytes|Ignore\(IgnoreMatch\((Override|Gitignore)\(.*)$/; // prettier-ignore

/** The rows of a file, of which only some may be kept, and their total number. */
class FileRows extends RowCollector {
  matches = 0;
}

/** Parses the output of `--line-number` and `--column`: `12:5:` and the line; with `--heading`, below the file's name. */
export class RowParser {
  /** Rows by the name of the file, which is `''` without a heading. */
  readonly files = new Map<string, FileRows>();
  readonly #width: number;
  readonly #most: number;
  #current: FileRows | undefined;
  #pending: Buffer[] = [];

  /** @param most number of rows of each file from which some are left out */
  constructor(width: number, most = Infinity) {
    this.#width = width;
    this.#most = most;
  }

  add(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const piece = bytes.subarray(start, end);
      this.#addLine(this.#pending.length === 0 ? piece : Buffer.concat([...this.#pending, piece]));
      this.#pending = [];
      start = end + 1;
    }
    if (start < bytes.length) this.#pending.push(bytes.subarray(start));
  }

  #addLine(bytes: Buffer): void {
    const first = bytes[0] ?? LINE_FEED;
    if (first < DIGIT_0 || first > DIGIT_9) {
      // `--crlf` also adds a carriage return to such lines. An empty line separates two files.
      const name = bytes.toString('utf8').replace(/\r$/, '');
      if (name !== '') this.#begin(name);
      return;
    }
    const file = this.#current ?? this.#begin('');
    file.matches++;
    file.add(
      () => parseRow(bytes, this.#width),
      () => hashKind(bytes),
    );
  }

  #begin(name: string): FileRows {
    this.#current = new FileRows(this.#most);
    this.files.set(name, this.#current);
    return this.#current;
  }
}

/** Computes a number that is the same for rows that differ only in digits, much faster than such rows are compared. */
function hashKind(row: Buffer): number {
  let [low, high] = [0, 0];
  for (const byte of row.subarray(row.indexOf(COLON, row.indexOf(COLON) + 1))) {
    if (byte >= DIGIT_0 && byte <= DIGIT_9) continue;
    low = (Math.imul(low, 31) + byte) | 0;
    high = (Math.imul(high, 37) + byte) & 0xf_ffff;
  }
  return high * 2 ** 32 + low;
}

function parseRow(bytes: Buffer, width: number): MatchRow {
  const first = bytes.indexOf(COLON);
  const second = bytes.indexOf(COLON, first + 1);
  const start = Number(bytes.toString('latin1', first + 1, second)) - 1;
  const line = bytes.subarray(second + 1);
  // Only the part near the match becomes a string, because lines may be very long.
  const near = NEAR * width;
  const from = nextCharacter(line, Math.max(start - near, 0));
  const at = line.toString('utf8', from, start).length;
  const texts = renderMatch(line.toString('utf8', from, start + near), at, width);
  return { line: Number(bytes.toString('latin1', 0, first)), ...texts };
}

/** Returns the index, or the next one at which a character begins. */
function nextCharacter(bytes: Buffer, index: number): number {
  let at = index;
  while (at < index + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

/** Parses the output of `--count`, `--null` and `--stats`. */
export class CountParser {
  readonly #onFile: (path: string, matches: number) => void;
  #pending: Buffer = Buffer.alloc(0);

  /** @param onFile called with the path below the root of every file with matches, and its number of matching lines */
  constructor(onFile: (path: string, matches: number) => void) {
    this.#onFile = onFile;
  }

  add(bytes: Buffer): void {
    const text = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    let start = 0;
    for (;;) {
      const end = text.indexOf(0, start);
      const next = end === -1 ? -1 : text.indexOf(LINE_FEED, end);
      if (next === -1) break;
      // Not cut from a string: comparing parts of strings takes longer, and there may be thousands of paths.
      const from = text[start] === DOT && text[start + 1] === SLASH ? start + 2 : start;
      this.#onFile(text.toString('utf8', from, end), Number(text.toString('latin1', end + 1, next)));
      start = next + 1;
    }
    this.#pending = text.subarray(start);
  }

  get searched(): number {
    return Number(SEARCHED.exec(this.#pending.toString('latin1'))?.[1] ?? 0);
  }
}

/** A report from ripgrep about a path below the root that it skips. */
export type DebugRecord =
  /** It holds a NUL, so it was not searched to its end, and its matches do not count. */
  | { readonly kind: 'binary'; readonly path: string; readonly offset: number }
  | { readonly kind: 'large'; readonly path: string; readonly size: number }
  /** One of our patterns excludes it. */
  | { readonly kind: 'excluded'; readonly path: string }
  /** A `.gitignore` excludes it: a file, or a folder with everything in it. */
  | { readonly kind: 'ignored'; readonly path: string };

/**
 * Parses a line of `--debug`; returns undefined for lines about other subjects.
 *
 * There is no other way to find out which files ripgrep skips. If its wording changed, files with a NUL far from their
 * start would be left out, and skipped secrets would not be counted.
 */
export function parseDebugLine(line: string): DebugRecord | undefined {
  const [whole, path = '', offset, size, excludedBy] = IGNORING.exec(line) ?? [];
  if (whole === undefined) return undefined;
  if (offset !== undefined) return { kind: 'binary', path, offset: Number(offset) };
  if (size !== undefined) return { kind: 'large', path, size: Number(size) };
  return { kind: excludedBy === 'Gitignore' ? 'ignored' : 'excluded', path };
}
