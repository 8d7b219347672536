import type { AgentEvent } from '@bae/core';
import type { Painter } from '../terminal/paint.ts';

/** Lines about the calls of code: of equal ones that follow one another the first, and at the end how many more. */
export class FoldedLines {
  #last: string | undefined;
  #more = 0;

  constructor(private readonly write: (line: string) => void) {}

  /** Writes a line, unless it is that of the call before. */
  add(line: string, paint: Painter): void {
    if (line === this.#last) {
      this.#more++;
      return;
    }
    this.end(paint);
    this.#last = line;
    this.write(line);
  }

  /** Writes how many more there were, because something else follows. */
  end(paint: Painter): void {
    if (this.#more > 0) this.write(`${this.#last}${paint('quiet', ` ×${this.#more} more`)}`);
    this.#last = undefined;
    this.#more = 0;
  }
}

/** True for what is shown after the lines of calls, or has to be seen between them. */
export function endsFold({ type }: AgentEvent): boolean {
  return type === 'run-end' || type === 'notice' || type === 'answer';
}
