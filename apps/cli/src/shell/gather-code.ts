import type { LineSource } from '../terminal/line-source.ts';

/** Shown while more lines are awaited. */
const MORE = '… ';
/** How a line begins that continues a block before it. */
const GOES_ON = /^\s*(?:else|catch|finally|while)\b|^\s*[.?:,)\]]/;

/** What has to be known of code to read it line by line. */
export interface CodeLines {
  /** True for code that breaks off before its end. */
  needsMore(code: string): Promise<boolean>;
  /** True for a line that is no code. */
  isCommand(line: string): boolean;
  /** Called with the command for which code that was open is discarded. */
  onGivenUp(line: string): void;
}

/**
 * Reads on where one line is not all of the code: after an open bracket or an operator, and to the end of what was
 * pasted. Ctrl-D ends it in any case.
 *
 * @returns all of it; undefined when the person gave it up: with Ctrl-C, or with a command that is read next
 */
export async function gatherCode(first: string, source: LineSource, lines: CodeLines): Promise<string | undefined> {
  const code = new GrowingCode(first, (text) => lines.needsMore(text));
  for (;;) {
    const isWhole = !source.isPasted && !(await code.isOpen());
    // After a block something may be there already that belongs to it.
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

/** True for what leads out of code mode, or shows help, even where code is open. */
export function isWayOut(line: string): boolean {
  return /^\/(?:code|exit|quit|help(?: [\w.-]+)?)\s*$/.test(line);
}

/** Texts on one line, in which brackets mean nothing. */
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** After these it takes a compiler to know what is a bracket. */
const HARD = /[`'"\\/@#]/;

/** Code to which lines are added, and that is parsed as seldom as possible: each time all of it is read. */
export class GrowingCode {
  readonly #needsMore: (code: string) => Promise<boolean>;
  #text: string;
  /** Brackets that were opened since one was known to be open; undefined when none is. */
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

  /** True when it breaks off before its end. */
  async isOpen(): Promise<boolean> {
    if (this.#depth !== undefined) return true;
    // What lacks an operand only is whole with one; what is open all the same waits for a closer.
    if (!(await this.#needsMore(`${this.#text}\n0;`))) return this.#needsMore(this.#text);
    this.#depth = 0;
    return true;
  }

  /** True when it breaks off in a template or a comment: elsewhere nothing may begin with a single quotation mark. */
  isOpenText(): Promise<boolean> {
    return this.#needsMore(`${this.#text}\n"`);
  }
}

/** How many brackets are open after a line; undefined when more were closed, or when only a compiler knows. */
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
