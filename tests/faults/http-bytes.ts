const STREAM = { 'content-type': 'text/event-stream' };

/** An HTTP answer as it goes over the wire. */
export interface HttpAnswer {
  /** Default: 200. */
  readonly status?: number;
  /** Default: those of an event stream. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer whose body ends with the connection. */
export function closed(answer: HttpAnswer): Buffer {
  return withBody(answer, {}, Buffer.from(answer.body ?? ''));
}

/** An answer that says how long its body is. */
export function formatCount(answer: HttpAnswer, length?: number): Buffer {
  const body = Buffer.from(answer.body ?? '');
  return withBody(answer, { 'content-length': String(length ?? body.length) }, body);
}

/** An answer in chunks, the last one empty. */
export function chunked(chunks: readonly string[], answer: HttpAnswer = {}): Buffer {
  return withBody(answer, { 'transfer-encoding': 'chunked' }, Buffer.from([...chunks, ''].map(chunk).join('')));
}

/** One chunk of a body in chunks. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function withBody({ status = 200, headers = STREAM }: HttpAnswer, more: object, body: Buffer): Buffer {
  const all = Object.entries({ ...headers, ...more, connection: 'close' });
  const head = [`HTTP/1.1 ${status} Status`, ...all.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
