import type { FoundRow } from './found-file.ts';
import { matchTexts, type MatchingText } from './match-text.ts';

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
