import { beginning } from './beginning.ts';

/** Milliseconds after which output is passed on although the code still runs. */
const FLUSH_MS = 50;

/** What a block prints, up to a limit. */
export class BlockOutput {
  readonly #limit: number;
  readonly #flush: (text: string) => void;
  #text = '';
  #length = 0;
  #isBegun = false;
  #flushed = 0;

  /** @param flush passes on what was printed until now, so that it is not lost with the thread */
  constructor(limit: number, flush: (text: string) => void) {
    this.#limit = limit;
    this.#flush = flush;
  }

  /** True when there was more than is kept. */
  get isCut(): boolean {
    return this.#length > this.#limit;
  }

  /** Adds a line. */
  print(line: string): void {
    // The end of the last line is not shown.
    this.#length += this.#isBegun ? 1 : 0;
    this.#isBegun = true;
    const room = this.#limit - this.#length;
    this.#length += line.length;
    if (room > 0 || (room === 0 && line === '')) this.#text += `${beginning(line, room)}\n`;
    const now = performance.now();
    if (this.#text === '' || now - this.#flushed < FLUSH_MS) return;
    this.#flushed = now;
    this.#flush(this.take());
  }

  /** What was printed since the last time. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
