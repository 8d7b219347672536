import type { LineSource } from '../terminal/piped-input.ts';

/** The prompt for further lines. */
const MORE = '… ';
/** The beginning of a line that continues the block before it. */
const GOES_ON = /^\s*(?:else|catch|finally|while)\b|^\s*[.?:,)\]]/;

export interface CodeLines {
  /** True for incomplete code. */
  needsMore(code: string): Promise<boolean>;
  /** True for a line that is no code. */
  isCommand(line: string): boolean;
  /** Called with the command that discards open code. */
  onGivenUp(line: string): void;
}

/**
 * Reads further lines after an open bracket or an operator, and to the end of a paste. Ctrl-D ends the code.
 *
 * @returns the whole code; undefined after Ctrl-C, or a command, which is read next
 */
export async function gatherCode(first: string, source: LineSource, lines: CodeLines): Promise<string | undefined> {
  const code = new GrowingCode(first, (text) => lines.needsMore(text));
  for (;;) {
    const isWhole = !source.isPasted && !(await code.isOpen());
    // A line that has arrived already may continue the block, such as `else`.
    if (isWhole && !(code.text.trimEnd().endsWith('}') && (await source.hasMore()))) return code.text;
    const line = await source.next(MORE);
    if (line.kind === 'interrupt') return undefined;
    if (line.kind === 'end') return code.text;
    if (isWhole ? GOES_ON.test(line.text) : await belongsTo(code, line.text, lines)) code.add(line.text);
    else {
      source.unread([line.text]);
      if (isWhole || !(await code.isOpen())) return code.text;
      lines.onGivenUp(line.text);
      return undefined;
    }
  }
}

async function belongsTo(code: GrowingCode, line: string, lines: CodeLines): Promise<boolean> {
  if (!lines.isCommand(line)) return true;
  return (await code.isOpen()) && (!isWayOut(line) || (await code.isOpenText()));
}

/** True for commands that leave code mode or show help, even while code is open. */
export function isWayOut(line: string): boolean {
  return /^\/(?:code|exit|quit|help(?: [\w.-]+)?)\s*$/.test(line);
}

/** A string literal on one line; its brackets do not count. */
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** With these, only a compiler knows what is a bracket. */
const HARD = /[`'"\\/@#]/;

/** Code that grows line by line, and is parsed rarely because each parse reads all of it. */
export class GrowingCode {
  readonly #needsMore: (code: string) => Promise<boolean>;
  #text: string;
  /** How many brackets were opened since the code was known to be open; undefined while it is not. */
  #depth: number | undefined;

  constructor(text: string, needsMore: (code: string) => Promise<boolean>) {
    this.#text = text;
    this.#needsMore = needsMore;
  }

  get text(): string {
    return this.#text;
  }

  add(line: string): void {
    this.#text += `\n${line}`;
    if (this.#depth !== undefined) this.#depth = countDepth(line, this.#depth);
  }

  async isOpen(): Promise<boolean> {
    if (this.#depth !== undefined) return true;
    // With an operand added, only code with an open bracket is still incomplete.
    if (!(await this.#needsMore(`${this.#text}\n0;`))) return this.#needsMore(this.#text);
    this.#depth = 0;
    return true;
  }

  /** True inside a template or a comment: only there may a line be a lone quotation mark. */
  isOpenText(): Promise<boolean> {
    return this.#needsMore(`${this.#text}\n"`);
  }
}

/** The number of open brackets after a line; undefined when more were closed, or only a compiler knows. */
function countDepth(line: string, before: number): number | undefined {
  const plain = line.replaceAll(TEXT, '');
  if (HARD.test(plain)) return undefined;
  let depth = before;
  for (const sign of plain) {
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (depth < 0) return undefined;
  }
  return depth;
}
