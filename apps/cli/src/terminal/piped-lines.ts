import type { Readable } from 'node:stream';
import type { LineSource, ReadLine } from './line-source.ts';
import { linesOf } from './lines-of.ts';

/** Lines that are written together come within this time, in milliseconds. */
const MOMENT_MS = 50;

/** Lines of a pipe or a file, without prompt or echo. */
export class PipedLines implements LineSource {
  private readonly lines: AsyncGenerator<string>;
  private readonly returned: string[] = [];
  /** The read that is under way: of a line that was looked for and not taken. */
  private coming: Promise<IteratorResult<string, unknown>> | undefined;

  constructor(private readonly input: Readable) {
    this.lines = linesOf(input);
  }

  /** Waits for a moment: what a program writes in one go does not arrive in one go. */
  async hasMore(): Promise<boolean> {
    if (this.returned.length > 0) return true;
    const { promise: over, resolve } = Promise.withResolvers<undefined>();
    // After a delay of the whole process, what has arrived meanwhile is seen before the moment is over.
    const timer = setTimeout(() => setImmediate(resolve, undefined), MOMENT_MS);
    try {
      const read = await Promise.race([this.read(), over]);
      return read !== undefined && read.done !== true;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whatever comes out of a pipe was not pasted. */
  get isPasted(): boolean {
    return false;
  }

  async next(): Promise<ReadLine> {
    const text = this.returned.shift();
    if (text !== undefined) return { kind: 'line', text };
    const read = await this.read();
    this.coming = undefined;
    return read.done === true ? { kind: 'end' } : { kind: 'line', text: read.value };
  }

  unread(lines: readonly string[]): void {
    this.returned.unshift(...lines);
  }

  /** A read that is under way fails. */
  close(): void {
    this.input.destroy();
  }

  private read(): Promise<IteratorResult<string, unknown>> {
    if (this.coming !== undefined) return this.coming;
    this.coming = this.lines.next();
    // It may fail while nobody waits for it; whoever asks for the line hears of it.
    this.coming.catch(() => undefined);
    return this.coming;
  }
}
