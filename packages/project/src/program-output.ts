/** Maximum length of the kept output of a program, in characters; of longer output, the end is kept. */
export const LONGEST_OUTPUT = 10 * 1024 * 1024;

const PIECE = 64 * 1024;

/** Collects text that arrives in pieces, and keeps the end of it. */
export class OutputTail {
  readonly #pieces: string[] = [];
  #length = 0;
  /** Number of characters dropped from the beginning. */
  dropped = 0;

  add(piece: string): void {
    const last = this.#pieces.length - 1;
    if (last >= 0 && this.#pieces[last]!.length < PIECE) this.#pieces[last] += piece;
    else this.#pieces.push(piece);
    this.#length += piece.length;
    while (this.#length - this.#pieces[0]!.length >= LONGEST_OUTPUT) {
      const { length } = this.#pieces.shift()!;
      this.#length -= length;
      this.dropped += length;
    }
  }

  get text(): string {
    return this.#pieces.join('').slice(-LONGEST_OUTPUT);
  }
}

/** Matches a terminal control sequence; a sequence that contains text may be unterminated. */
const TERMINAL_CODE =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]P^_X][^\u0007\u001B]{0,4096}(?:\u0007|\u001B\\)?|[ -/]{0,8}[0-~])/g;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/**
 * Returns the output of a program as a person would see it: without control codes, and with only the last version of an
 * overwritten line.
 */
export function toReadableOutput(output: string): string {
  const lines = output.replaceAll(TERMINAL_CODE, '').replaceAll('\r\n', '\n').split('\n');
  const last = lines.map((line) => line.slice(line.trimEnd().lastIndexOf('\r') + 1));
  return last.join('\n').replaceAll(CONTROL, '').trimEnd();
}
