import type { Readable } from 'node:stream';
import type { LineSource, ReadLine } from './line-source.ts';
import { linesOf } from './lines-of.ts';

/** Lines of a pipe or a file, without prompt or echo. */
export class PipedLines implements LineSource {
  private readonly lines: AsyncGenerator<string>;
  private readonly returned: string[] = [];
  private ended = false;

  constructor(private readonly input: Readable) {
    this.lines = linesOf(input);
  }

  get hasMore(): boolean {
    return this.returned.length > 0 || !this.ended;
  }

  /** Whatever comes out of a pipe was not pasted. */
  get isPasted(): boolean {
    return false;
  }

  async next(): Promise<ReadLine> {
    const text = this.returned.shift();
    if (text !== undefined) return { kind: 'line', text };
    const { done, value } = await this.lines.next();
    if (done !== true) return { kind: 'line', text: value };
    this.ended = true;
    return { kind: 'end' };
  }

  unread(lines: readonly string[]): void {
    this.returned.unshift(...lines);
  }

  /** A read that is under way fails. */
  close(): void {
    this.ended = true;
    this.input.destroy();
  }
}
