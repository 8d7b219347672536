import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { makeApp, type AppOptions } from './app.ts';

/** Where a server listens, and what it lets clients do. */
export interface ServerOptions
  extends
    Omit<AppOptions, 'hosts' | 'origins' | 'bodyBytes' | 'requestsPerMinute' | 'streams' | 'closing'>,
    Partial<Pick<AppOptions, 'hosts' | 'origins' | 'bodyBytes' | 'requestsPerMinute'>> {
  /** Address to listen at. Default: 127.0.0.1. */
  readonly address?: string;
  /** Default: any free one. */
  readonly port?: number;
  readonly streams?: Partial<AppOptions['streams']>;
  /** Longest time that the headers, and the whole request, may take, in milliseconds. Default: 30 seconds. */
  readonly headersMs?: number;
  readonly requestMs?: number;
  /** Open connections. Default: 4000. */
  readonly mostConnections?: number;
}

export interface RunningServer {
  /** `http://127.0.0.1:4310` */
  readonly url: string;
  /** Open connections. */
  connections(): Promise<number>;
  /** Ends the streams, and the requests that run by themselves soon, then everything. */
  close(): Promise<void>;
}

/** Names of this machine in itself. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** How long a connection is kept for its next request. */
const KEEP_ALIVE_MS = 75_000;

/** Longest wait for requests that run when the server ends. */
const CLOSE_MS = 5000;

/** Listens. @throws the error of the system when the address is in use */
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
  // Longer than proxies keep theirs, which would send a request into a connection that just ends.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = options.mostConnections ?? 4000;
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
      // Clients keep connections for their next request.
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
