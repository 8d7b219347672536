const SEPARATOR = '\r\n\r\n';

/** Cuts a stream of bytes into JSON messages, each headed by its length: `Content-Length: 2⏎⏎{}`. */
export class MessageDecoder {
  #chunks: Buffer[] = [];
  #held = 0;
  #wanted = 0;

  /**
   * Takes the next bytes and returns the messages that are whole with them.
   *
   * @throws Error when the bytes are no such stream
   */
  push(chunk: Buffer): readonly unknown[] {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    // Joined only once enough is there: a large message comes in thousands of chunks.
    if (this.#held < this.#wanted) return [];
    let bytes = Buffer.concat(this.#chunks);
    const messages: unknown[] = [];
    for (;;) {
      const end = messageEnd(bytes);
      this.#wanted = end?.end ?? 0;
      if (end === undefined || bytes.length < end.end) break;
      messages.push(JSON.parse(bytes.toString('utf8', end.start, end.end)));
      bytes = bytes.subarray(end.end);
    }
    this.#chunks = [bytes];
    this.#held = bytes.length;
    return messages;
  }
}

/** The bytes of one message, ready to send. */
export function encodeMessage(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${SEPARATOR}`, 'latin1'), body]);
}

/** Where the body of the first message starts and ends; undefined while its head is not whole. */
function messageEnd(bytes: Buffer): { readonly start: number; readonly end: number } | undefined {
  const head = bytes.indexOf(SEPARATOR);
  if (head < 0) return undefined;
  const length = /^Content-Length: *(\d+) *$/im.exec(bytes.toString('latin1', 0, head))?.[1];
  if (length === undefined) throw new Error('a message without a length');
  const start = head + SEPARATOR.length;
  return { start, end: start + Number(length) };
}
