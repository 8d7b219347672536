/** Maximum length of a line of a stream and of a whole response, in bytes after decompression. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LONGEST_BODY = 64 * 1024 * 1024;

/** A response that is too long, and would be too long again. */
export class TooLongError extends Error {
  constructor(what: string, most: number) {
    super(`${what} is longer than ${most / 1024 / 1024} MB`);
    this.name = 'TooLongError';
  }
}

/** Reads a response as text. @throws TooLongError; the error of the stream if it breaks */
export async function readBodyText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  for await (const bytes of iterateBytes(body)) {
    length += bytes.length;
    if (length > LONGEST_BODY) throw new TooLongError('a response of the server', LONGEST_BODY);
    pieces.push(decoder.decode(bytes, { stream: true }));
  }
  return pieces.join('') + decoder.decode();
}

/**
 * Yields the lines of a stream; the text after the last line break is not yielded.
 *
 * @throws TooLongError; the error of the stream if it breaks
 */
export async function* readBodyLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const bytes of iterateBytes(body)) {
    const last = bytes.lastIndexOf(LINE_FEED);
    // Every line but the first ends within these bytes.
    const first = last === -1 ? bytes.length : bytes.indexOf(LINE_FEED);
    if (length + first > LONGEST_LINE) throw new TooLongError('a line of the events', LONGEST_LINE);
    length = last === -1 ? length + bytes.length : bytes.length - last - 1;
    pieces.push(decoder.decode(bytes, { stream: true }));
    if (last === -1) continue;
    const lines = pieces.join('').split('\n');
    pieces = [lines.pop()!];
    yield* lines;
  }
}

const LINE_FEED = 10;

/** Yields the bytes as they arrive. The stream is cancelled when the loop that reads them ends. */
async function* iterateBytes(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  // Not every platform can iterate over a stream.
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
