import { pipeline, type Readable } from 'node:stream';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { ModelError, type Message, type Model, type ModelPart } from '@bae/core';
import type { MessageMedia } from './native/native-tools.ts';
import { createOrderCheck } from './read-stream.ts';
import {
  LONGEST_BODY,
  LONGEST_LINE,
  makeLengthError,
  makeLinesError,
  MOST_LINES,
  readRefusal,
  isRedirect,
  Redirects,
} from './readable-fetch.ts';
import { toModelError, type FaultOrigin } from './to-model-error.ts';

/** JSON object sent by a service. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reader of one response, object by object. */
export interface WireReader {
  /**
   * Returns the text in an object.
   *
   * @throws ModelError when it does not have the shape of a response; a fault that it reports
   */
  read(chunk: Fields): string;
  /** Returns the last parts. @throws ModelError when the response is not complete */
  finish(): readonly ModelPart[];
}

/** Format of the requests and responses of a service. */
export interface WireFormat {
  makeRequest(messages: readonly Message[]): WireRequest;
  createReader(): WireReader;
}

/**
 * Makes a model of a service that responds with server-sent events of JSON, which are read from the socket as they
 * arrive. A stream is passed on only up to its first error. A stream that closes without a finish is an error, not an
 * end.
 */
export function wireModel(origin: FaultOrigin, format: WireFormat): Model {
  const { name } = origin;
  return {
    name,
    async *respond(messages, { signal, alive }) {
      try {
        const body = await post(format.makeRequest(messages), signal);
        const reader = format.createReader();
        const events = new EventBytes(name, (chunk) => reader.read(chunk));
        for await (const bytes of body as AsyncIterable<Uint8Array>) {
          const text = events.read(bytes);
          // Thoughts and pings are not text, but they show that the model is not idle.
          alive?.();
          if (text !== '') yield { type: 'text-delta', text };
        }
        const text = events.read(undefined);
        if (text !== '') yield { type: 'text-delta', text };
        yield* reader.finish();
        return;
      } catch (error) {
        if (!signal.aborted) {
          yield { type: 'error', error: toModelError(error, origin) };
          return;
        }
      }
      yield { type: 'end', reason: 'cancelled' };
    },
  };
}

async function post(request: WireRequest, signal: AbortSignal): Promise<Readable> {
  const { status, statusText, headers, body } = await postJson(request, signal);
  if (status >= 200 && status <= 299) return body;
  const data = parseObject(await readRefusal(body as AsyncIterable<Uint8Array>));
  const problem = getObject(data, 'error') ?? data;
  throw Object.assign(new Error(readMessage(problem['message']) ?? statusText), {
    statusCode: status,
    responseHeaders: headers,
    data: { error: problem },
  });
}

const LINE_END = /\r\n|\r|\n/g;

/** Reader of the bytes of server-sent events, each with a JSON object. */
class EventBytes {
  readonly #name: string;
  readonly #readChunk: (chunk: Fields) => string;
  readonly #checkOrder: (chunk: unknown) => void;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #bytes = 0;
  /**
   * Pieces of an incomplete line, and their total length. Joining them each time would fill the memory if the line is
   * long.
   */
  #pieces: string[] = [];
  #length = 0;
  /** A carriage return that may be half of a line break. */
  #held = '';
  #event = '';
  #lines = 0;

  constructor(name: string, readChunk: (chunk: Fields) => string) {
    this.#name = name;
    this.#readChunk = readChunk;
    this.#checkOrder = createOrderCheck(name);
  }

  /**
   * Returns the text in the bytes.
   *
   * @param bytes undefined at the end
   * @throws when they are not UTF-8, too long, not in the format, or report an error
   */
  read(bytes: Uint8Array | undefined): string {
    this.#bytes += bytes?.length ?? 0;
    if (this.#bytes > LONGEST_BODY) throw makeLengthError('the response', LONGEST_BODY);
    let arrived = this.#held + this.#decoder.decode(bytes, { stream: bytes !== undefined });
    this.#held = bytes !== undefined && arrived.endsWith('\r') ? '\r' : '';
    if (this.#held !== '') arrived = arrived.slice(0, -1);
    // A match for each line, or a text extended by each line, would take many times the memory of the lines.
    const texts: string[] = [];
    let from = (LINE_END.lastIndex = 0);
    while (LINE_END.test(arrived)) {
      const end = LINE_END.lastIndex;
      const line = arrived.slice(from, arrived.startsWith('\r\n', end - 2) ? end - 2 : end - 1);
      const text = this.#readLine(this.#endLine(line));
      if (text !== '') texts.push(text);
      from = end;
    }
    this.#pieces.push(arrived.slice(from));
    this.#length += arrived.length - from;
    if (this.#length > LONGEST_LINE) throw makeLengthError('a line of the response', LONGEST_LINE);
    return texts.join('');
  }

  #endLine(last: string): string {
    if (this.#length === 0) return last;
    const line = this.#pieces.join('') + last;
    this.#pieces = [];
    this.#length = 0;
    return line;
  }

  #readLine(line: string): string {
    if (line === '') {
      const event = this.#event;
      this.#event = '';
      this.#lines = 0;
      return event === '' || event === '[DONE]' ? '' : this.#readEvent(event);
    }
    if (line.startsWith('data:')) {
      if (++this.#lines > MOST_LINES) throw makeLinesError();
      const data = line.slice(line[5] === ' ' ? 6 : 5);
      this.#event = this.#event === '' ? data : `${this.#event}\n${data}`;
    }
    return '';
  }

  #readEvent(json: string): string {
    const chunk: unknown = JSON.parse(json);
    if (!isRecord(chunk)) throw makeUnreadableError(this.#name);
    if (chunk['error'] !== undefined && chunk['error'] !== null) throw toFault(chunk['error']);
    this.#checkOrder(chunk);
    return this.#readChunk(chunk);
  }
}

/** Creates the error for data that does not have the shape of a response. */
export function makeUnreadableError(name: string): ModelError {
  return new ModelError(`${name} sent something that cannot be read: it does not have the shape of a response.`, {
    retryable: true,
  });
}

/** Converts an error in the stream, which is a string or an object with a message. */
function toFault(error: unknown): unknown {
  return isRecord(error) ? Object.assign(new Error(readMessage(error['message']) ?? 'no reason given'), error) : error;
}

function readMessage(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Returns a field if it is an object. */
export function getObject(value: unknown, name: string): Fields | undefined {
  const field = isRecord(value) ? value[name] : undefined;
  return isRecord(field) ? field : undefined;
}

/** Returns a field if it is a number. */
export function getNumber(value: Fields | undefined, name: string): number | undefined {
  const field = value?.[name];
  return typeof field === 'number' ? field : undefined;
}

/** Omits blank messages and joins those of one side, because several services refuse a request with either. */
export function joinMessages(
  messages: readonly Message[],
  accepts: readonly Accepted[] = [],
): readonly JoinedMessage[] {
  const joined: { role: Message['role']; content: string; media: MessageMedia[] }[] = [];
  for (const { role, text, media = [] } of messages) {
    if (text.trim() === '') continue;
    const accepted = media.filter((one) => canTakeIn(one, accepts));
    const before = joined.at(-1);
    if (before?.role === role && role !== 'system') {
      before.content += `\n\n${text}`;
      before.media.push(...accepted);
    } else joined.push({ role, content: text, media: accepted });
  }
  return joined;
}

/** Kind of input that a model accepts in addition to text. */
export type Accepted = MessageMedia['type'];

const FORMATS = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']);

/** Returns true for media that a model accepts, in a format that services read. */
export function canTakeIn({ type, mediaType, data }: MessageMedia, accepts: readonly Accepted[]): boolean {
  return data !== undefined && accepts.includes(type) && (type === 'audio' || FORMATS.has(mediaType));
}

/** Consecutive messages of one side, joined. */
export interface JoinedMessage {
  readonly role: Message['role'];
  readonly content: string;
  readonly media: readonly MessageMedia[];
}

function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return text.trim() === '' ? {} : { message: text.slice(0, 500) };
  }
}

/** Request to a service, whose body is sent as JSON. */
interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Status and headers of a response, and its bytes as they arrive. */
export interface WireResponse {
  readonly status: number;
  readonly statusText: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Fails if the connection is lost, and is cancelled by leaving the loop that reads it. */
  readonly body: Readable;
}

/** Time limit for connecting to a service, in milliseconds. */
const CONNECT_MS = 10_000;
/** Errors of a request whose kept connection has just been closed by the service. */
const STALE = /^(ECONNRESET|EPIPE)$/;

/**
 * Sends JSON with POST over connections that are kept and shared, and follows redirects within the origin. Uses
 * `node:http`, because a request with `fetch` takes twice the time and memory, which would be most of the cost of a
 * step.
 *
 * @throws ModelError for a redirect to another origin, and for too many redirects; errors of the network
 */
export async function postJson({ url, headers, body }: WireRequest, signal: AbortSignal): Promise<WireResponse> {
  const bytes = Buffer.from(JSON.stringify(body));
  const redirects = new Redirects(url);
  for (let to = new URL(url); ;) {
    const response = await sendBytes(to, { headers, bytes, signal });
    const { statusCode: status = 0, statusMessage: statusText = '', headers: received } = response;
    if (!isRedirect(status, received.location))
      return { status, statusText, headers: received, body: await unpack(response) };
    response.destroy();
    to = redirects.follow(status, received.location);
  }
}

/** Default headers. Some services refuse requests without a user agent. */
const HEADERS = { 'content-type': 'application/json', accept: '*/*', 'user-agent': 'bae' };

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
}

function sendBytes(url: URL, sent: SentRequest): Promise<IncomingMessage> {
  const { request: open } = process.getBuiltinModule(url.protocol === 'http:' ? 'node:http' : 'node:https');
  sent.signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { ...HEADERS, ...sent.headers, 'content-length': sent.bytes.length };
  const request = open(url, { method: 'POST', headers });
  const cancel = (): void => void request.destroy();
  sent.signal.addEventListener('abort', cancel, { once: true });
  request.once('close', () => sent.signal.removeEventListener('abort', cancel));
  request.on('error', (error: NodeJS.ErrnoException) => {
    if (request.reusedSocket && STALE.test(error.code ?? '') && !sent.signal.aborted) resolve(sendBytes(url, sent));
    else reject(error);
  });
  request.once('response', resolve);
  limitConnecting(request);
  request.end(sent.bytes);
  return promise;
}

function limitConnecting(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const giveUp = (): void => {
      const error = new Error(`no connection within ${CONNECT_MS / 1000} s`);
      request.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    };
    const timer = setTimeout(giveUp, CONNECT_MS);
    const stop = (): void => clearTimeout(timer);
    socket.once('connect', stop).once('close', stop);
  });
}

/** Decompresses the body. Compression was not requested, but some proxies add it. */
async function unpack(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (!/^(x-)?gzip$|^deflate$|^br$/.test(encoding)) return response;
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  // An error of one stream is an error of both.
  return pipeline(response, encoding === 'br' ? createBrotliDecompress() : createUnzip(), () => undefined);
}
