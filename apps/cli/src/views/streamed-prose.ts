/** A last line that may become a call, a block or a fence once it is whole. */
const UNCERTAIN = /(?:^|\n)[ \t]*[<@{[`~][^\n]*$/;

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
    return this.#prose(this.#written.replace(UNCERTAIN, ''));
  }

  clear(): void {
    this.#written = '';
  }
}
