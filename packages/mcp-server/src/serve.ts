import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable, type Readable } from 'node:stream';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  type NodeIncomingMessageLike,
} from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';
import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Maximum number of sessions of older clients; the least recently used one is closed first. */
const MOST_SESSIONS = 100;

/** Port and token of a server. */
export interface HttpOptions {
  /** Port on this machine; 0 for any free port. */
  readonly port: number;
  /** Token that a client sends as `Authorization: Bearer TOKEN`. */
  readonly token: string;
}

/** A listening server. */
export interface ServedAddress {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves programs on this machine that have a token, over HTTP and in both forms of the protocol: stateless requests
 * (2026-07-28), and sessions of older clients.
 *
 * @throws the system error if it cannot listen at the port
 */
export async function serveHttp(makeServer: () => Server, { port, token }: HttpOptions): Promise<ServedAddress> {
  const modern = createMcpHandler(() => makeServer(), { legacy: 'reject' });
  const sessions = new Sessions(makeServer);
  const handle = toNodeHandler({
    fetch: async (request, options) =>
      (await isLegacyRequest(request)) ? sessions.handle(request) : modern.fetch(request, options),
  });
  const hasLocalHost = localhostHostValidation();
  const hasLocalOrigin = localhostOriginValidation();
  const server = createServer((request, response) => {
    // A web page in a browser on this machine must not be served, regardless of the host name it uses.
    if (!hasLocalHost(request, response) || !hasLocalOrigin(request, response)) return;
    if (new URL(request.url ?? '/', 'http://127.0.0.1').pathname !== '/mcp')
      sendRefusal(response, 404, 'The address is /mcp.');
    else if (hasToken(request, token)) void handle(request as NodeIncomingMessageLike, response);
    else sendRefusal(response, 401, 'Send the token that bae printed: Authorization: Bearer TOKEN.');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await Promise.all([modern.close(), sessions.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

function hasToken({ headers: { authorization = '' } }: IncomingMessage, token: string): boolean {
  return timingSafeEqual(hash(authorization), hash(`Bearer ${token}`));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sendRefusal(response: ServerResponse, status: number, text: string): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...challenge });
  response.end(`${text}\n`);
}

/** Keeps the sessions of older clients. */
class Sessions {
  readonly #makeServer: () => Server;
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(makeServer: () => Server) {
    this.#makeServer = makeServer;
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : this.#transports.get(id);
    if (id !== null && known !== undefined) {
      this.#transports.delete(id);
      this.#transports.set(id, known);
      return known.handleRequest(request);
    }
    if (id !== null) return Response.json(makeError('There is no such session.'), { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (opened) => this.#keep(opened, transport),
      onsessionclosed: (closed) => void this.#transports.delete(closed),
    });
    await this.#makeServer().connect(transport);
    return transport.handleRequest(request);
  }

  async #keep(id: string, transport: WebStandardStreamableHTTPServerTransport): Promise<void> {
    this.#transports.set(id, transport);
    if (this.#transports.size <= MOST_SESSIONS) return;
    const [[oldest, forgotten]] = this.#transports as unknown as [[string, WebStandardStreamableHTTPServerTransport]];
    this.#transports.delete(oldest);
    await forgotten.close();
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#transports.values(), (transport) => transport.close()));
    this.#transports.clear();
  }
}

function makeError(message: string) {
  return { jsonrpc: '2.0', error: { code: -32_001, message }, id: null };
}

/** Source and destination of messages, one per line. */
export interface Lines {
  readonly input: Readable;
  readonly write: (text: string) => void;
}

/** Serves messages over lines of input and output, until the input ends or a signal aborts. */
export async function serveStdio(
  makeServer: (client?: object) => Server,
  { input, write }: Lines,
  signal: AbortSignal,
): Promise<void> {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      write(String(chunk));
      done();
    },
  });
  // The process has one client, whichever revision of the protocol it begins with.
  const client = {};
  const handle = serve(() => makeServer(client), { transport: new StdioServerTransport(input, output) });
  await once(input, 'end', { signal }).catch(() => undefined);
  await handle.close();
}
