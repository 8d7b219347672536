/** Texts on one line, in which brackets mean nothing. */
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** After these it takes a compiler to know what is a bracket. */
const HARD = /[`'"\\/@#]/;

/** Code to which lines are added, and that is asked about as seldom as possible: each question reads all of it. */
export class GrowingCode {
  /** Brackets that were opened since one was known to be open; undefined when none is. */
  #depth: number | undefined;

  constructor(
    public text: string,
    private readonly needsMore: (code: string) => Promise<boolean>,
  ) {}

  add(line: string): void {
    this.text += `\n${line}`;
    if (this.#depth !== undefined) this.#depth = depthAfter(line, this.#depth);
  }

  /** True when it breaks off before its end. */
  async isOpen(): Promise<boolean> {
    if (this.#depth !== undefined) return true;
    // What lacks an operand only is whole with one; what is open all the same waits for a closer.
    if (!(await this.needsMore(`${this.text}\n0;`))) return this.needsMore(this.text);
    this.#depth = 0;
    return true;
  }

  /** True when it breaks off in a template or a comment: elsewhere nothing may begin with a single quotation mark. */
  isOpenText(): Promise<boolean> {
    return this.needsMore(`${this.text}\n"`);
  }
}

/** How many brackets are open after a line; undefined when more were closed, or when nobody can tell. */
function depthAfter(line: string, before: number): number | undefined {
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
