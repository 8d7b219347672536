import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { isRedirect, Redirects } from './readable-fetch.ts';

/** Request to a service, whose body is sent as JSON. */
export interface WireRequest {
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
