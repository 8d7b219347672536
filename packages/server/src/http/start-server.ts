import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { makeApp, type AppOptions } from './app.ts';

/** Options for the address of a server and the limits of its clients. */
export interface ServerOptions
  extends
    Omit<AppOptions, 'hosts' | 'origins' | 'bodyBytes' | 'requestsPerMinute' | 'streams' | 'closing'>,
    Partial<Pick<AppOptions, 'hosts' | 'origins' | 'bodyBytes' | 'requestsPerMinute'>> {
  /** Address to listen on. Default: 127.0.0.1. */
  readonly address?: string;
  /** Default: any free port. */
  readonly port?: number;
  readonly streams?: Partial<AppOptions['streams']>;
  /** Time limit for the headers, and for the whole request, in milliseconds. Default: 30 seconds. */
  readonly headersMs?: number;
  readonly requestMs?: number;
}

export interface RunningServer {
  /** `http://127.0.0.1:4310` */
  readonly url: string;
  /** Open connections. */
  connections(): Promise<number>;
  /** Ends the streams, waits a short time for running requests, then closes everything. */
  close(): Promise<void>;
}

/** Names of this machine on itself. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Time that a connection is kept open for its next request, in milliseconds. */
const KEEP_ALIVE_MS = 75_000;
const MOST_CONNECTIONS = 4000;

/** Maximum wait for running requests when the server ends, in milliseconds. */
const CLOSE_MS = 5000;

/** Starts a server. @throws the system error when the address is in use */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { address = '127.0.0.1', port = 0, hosts = [], headersMs = 30_000, requestMs = 30_000 } = options;
  const closing = new AbortController();
  const app = makeApp({
    origins: [],
    bodyBytes: 1_048_576,
    requestsPerMinute: 600,
    ...options,
    hosts: [...LOOPBACK, address.includes(':') ? `[${address}]` : address, ...hosts.map((name) => name.toLowerCase())],
    streams: { mostOfToken: 100, most: 2000, heartbeatMs: 15_000, slowMs: 30_000, ...options.streams },
    closing: closing.signal,
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const active = new Set<ServerResponse>();
  const server = createServer(
    { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: Math.min(headersMs, 5000) },
    (incoming, outgoing) => {
      active.add(outgoing.once('close', () => active.delete(outgoing)));
      void answer(incoming, outgoing);
    },
  );
  // Longer than proxies keep theirs open: otherwise they could send a request to a connection that is just closing.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, port, address);
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${bound}`,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    close: async () => {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      const limit = AbortSignal.timeout(CLOSE_MS);
      const ends = Array.from(active, (response) => once(response, 'close', { signal: limit }).catch(() => undefined));
      await Promise.all(ends);
      // Clients keep connections open for their next request.
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
