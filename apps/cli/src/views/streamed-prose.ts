/** A last line that may become a call, a block or a fence once it is whole. */
const UNCERTAIN = /(?:^|\n)[ \t]*(?:<(?!\/[\w.-]+>)|[@{[`~])[^\n]*$/;

/** The beginning of a call or a run block, with its name. */
const OPENING = /<(?:([\w.-]+):[^\n>]*|(run|tool_call|function_calls?|invoke)\b[^>\n]*)>/g;
/** Calls that never have a body. */
const WITHOUT_BODY = /^(?:.*\.)?(?:r|read|g|glob|grep|help|go)$/i;

/** Where a call begins whose body may still be arriving; the length of the text when there is none. */
function findOpenCall(text: string): number {
  for (const { 0: tag, 1: called, 2: block, index } of text.matchAll(OPENING)) {
    const name = called ?? block!;
    if (called !== undefined && WITHOUT_BODY.test(called)) continue;
    const close = `</${name.slice(name.lastIndexOf('.') + 1)}`.toLowerCase();
    const rest = text.slice(index + tag.length).toLowerCase();
    if (!rest.includes(close) || !rest.includes('>', rest.indexOf(close))) return index;
  }
  return text.length;
}

/** What a model has written so far, without its calls and code, and without a last line that may become one. */
export class StreamedProse {
  readonly #prose: (text: string) => string;
  #written = '';

  /** @param prose extracts the prose of a response */
  constructor(prose: (text: string) => string) {
    this.#prose = prose;
  }

  get isEmpty(): boolean {
    return this.#written === '';
  }

  add(text: string): void {
    this.#written += text;
  }

  read(): string {
    const text = this.#written.slice(0, findOpenCall(this.#written));
    return this.#prose(text.replace(UNCERTAIN, ''));
  }

  clear(): void {
    this.#written = '';
  }
}
