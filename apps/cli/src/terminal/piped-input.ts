import type { Readable } from 'node:stream';
import type { LineSource, ReadLine } from './line-source.ts';

/**
 * Everything a stream has until its end, as text.
 *
 * @throws the signal's reason when it aborts before
 */
export async function readAll(input: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(input, signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function* readChunks(input: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
  signal?.throwIfAborted();
  const stop = (): void => void input.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of input) yield typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * The lines of a stream as they arrive, without their ends. Only `\n` and `\r\n` end a line: other
 * separators may stand inside a JSON string. A last line without an end counts.
 *
 * @throws the signal's reason when it aborts before the end
 */
export async function* readLines(input: Readable, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  for await (const chunk of readChunks(input, signal)) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    pending.push(first);
    for (const next of rest) {
      yield pending.join('').replace(/\r$/, '');
      pending = [next];
    }
  }
  const last = pending.join('') + decoder.decode();
  if (last !== '') yield last.replace(/\r$/, '');
}

/** Lines that are written together come within this time, in milliseconds. */
const MOMENT_MS = 50;

/** Lines of a pipe or a file, without prompt or echo. */
export class PipedLines implements LineSource {
  /** Nothing that comes out of a pipe was pasted. */
  readonly isPasted = false;
  readonly #input: Readable;
  readonly #lines: AsyncGenerator<string>;
  readonly #returned: string[] = [];
  /** The read that is under way: of a line that was looked for and not taken. */
  #coming: Promise<IteratorResult<string, unknown>> | undefined;

  constructor(input: Readable) {
    this.#input = input;
    this.#lines = readLines(input);
  }

  /** Waits for a moment: what a program writes in one go does not arrive in one go. */
  async hasMore(): Promise<boolean> {
    if (this.#returned.length > 0) return true;
    const { promise: over, resolve } = Promise.withResolvers<undefined>();
    // After a delay of the whole process, what has arrived meanwhile is seen before the moment is over.
    const timer = setTimeout(() => setImmediate(resolve, undefined), MOMENT_MS);
    try {
      const read = await Promise.race([this.#read(), over]);
      return read !== undefined && read.done !== true;
    } finally {
      clearTimeout(timer);
    }
  }

  async next(): Promise<ReadLine> {
    const text = this.#returned.shift();
    if (text !== undefined) return { kind: 'line', text };
    const read = await this.#read();
    this.#coming = undefined;
    return read.done === true ? { kind: 'end' } : { kind: 'line', text: read.value };
  }

  unread(lines: readonly string[]): void {
    this.#returned.unshift(...lines);
  }

  /** A read that is under way fails. */
  close(): void {
    this.#input.destroy();
  }

  #read(): Promise<IteratorResult<string, unknown>> {
    if (this.#coming !== undefined) return this.#coming;
    this.#coming = this.#lines.next();
    // It may fail while nobody waits for it; the next request for a line reports that.
    this.#coming.catch(() => undefined);
    return this.#coming;
  }
}
