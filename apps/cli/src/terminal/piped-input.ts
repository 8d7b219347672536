import type { Readable } from 'node:stream';

/** Result of requesting a line. */
export type ReadLine =
  | { readonly kind: 'line'; readonly text: string }
  /** End of the input, or Ctrl-D. */
  | { readonly kind: 'end' }
  /** Ctrl-C at an empty prompt; repeated if no other key was pressed since the last one. */
  | { readonly kind: 'interrupt'; readonly isRepeated: boolean };

/** Prompt before a text; a function is called each time the prompt is drawn. */
export type Prompt = string | (() => string);

/** Prompt for the continuation of a line; such lines are not kept in the history. */
export const REST = '… ';

/** Source of lines: a keyboard or a pipe. */
export interface LineSource {
  /** Called on Ctrl-C, or on Escape, while no line is being read; never called for a pipe. */
  onInterrupt: (isEscape?: boolean) => void;
  /**
   * Called with a line that arrives while none is being read; true if it was dealt with at once and is not kept. Never
   * called for a pipe, whose lines are read one after the other.
   */
  onAhead: (line: string) => boolean;
  /**
   * Called with a text that ends with `\\`; true if the next line is part of it, and of what can be edited. Never called
   * for a pipe.
   */
  isContinued: (text: string) => boolean;
  /** Requests the next line. A pipe shows no prompt. */
  next(prompt: Prompt): Promise<ReadLine>;
  /** Resolves to true if the next line has already arrived: typed ahead, pasted, or in the pipe. */
  hasMore(): Promise<boolean>;
  /** True if the next line belongs to the same paste as the last one. */
  readonly isPasted: boolean;
  /**
   * Number of lines read so far that arrived from the keyboard in one piece with their Enter, and so were not typed.
   */
  readonly untyped: number;
  /** Returns lines to the source; they are read again, in order. */
  unread(lines: readonly string[]): void;
  close(): void;
}

/** Reads a stream to its end. @throws the signal's reason when it aborts before */
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
 * Yields the lines of a stream as they arrive. Only `\n` and `\r\n` end a line, because other separators may be part of
 * a JSON string.
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

/** Maximum time between lines that were written together, in milliseconds. */
const MOMENT_MS = 50;

/** Reads the lines of a pipe or a file, without prompt or echo. */
export function readPipedLines(input: Readable): LineSource {
  const lines = readLines(input);
  const returned: string[] = [];
  /** Pending read that `hasMore` has started. */
  let pending: Promise<IteratorResult<string, unknown>> | undefined;
  const read = (): Promise<IteratorResult<string, unknown>> => {
    if (pending !== undefined) return pending;
    pending = lines.next();
    // The next call to `next` reports a failure.
    pending.catch(() => undefined);
    return pending;
  };
  return {
    isPasted: false,
    untyped: 0,
    onInterrupt: () => undefined,
    onAhead: () => false,
    isContinued: () => false,
    /** Waits a moment, because lines that are written together may arrive separately. */
    async hasMore() {
      if (returned.length > 0) return true;
      const { promise: over, resolve } = Promise.withResolvers<undefined>();
      // If the process itself was delayed, input that has arrived is read first.
      const timer = setTimeout(() => setImmediate(resolve, undefined), MOMENT_MS);
      try {
        const result = await Promise.race([read(), over]);
        return result !== undefined && result.done !== true;
      } finally {
        clearTimeout(timer);
      }
    },
    async next() {
      const text = returned.shift();
      if (text !== undefined) return { kind: 'line', text };
      const result = await read();
      pending = undefined;
      return result.done === true ? { kind: 'end' } : { kind: 'line', text: result.value };
    },
    unread: (texts) => void returned.unshift(...texts),
    /** Closes the source. A pending read fails. */
    close: () => void input.destroy(),
  };
}
