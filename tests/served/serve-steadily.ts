// A server whose agents take one step for each prompt; it reports what it holds after everything that can be freed is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerOptions } from '@bae/server';
import { serveAgents } from './serve-agents.ts';

/** What it is started with, as JSON. */
export interface SteadyServer {
  readonly database?: string;
  /** Time that its model takes. */
  readonly modelMs?: number;
  /** Length of an answer, in characters. */
  readonly length?: number;
  readonly streams?: NonNullable<ServerOptions['streams']>;
  /** Whether it has a fault. */
  readonly leaks?: boolean;
}

const {
  database,
  modelMs = 0,
  length = 0,
  streams = {},
  leaks = false,
} = JSON.parse(process.argv[2] ?? '{}') as SteadyServer;
/** What a server with a fault would keep, to see that the test finds it. */
const leaked: Buffer[] = [];

const served = await serveAgents({
  script: async (messages) => {
    if (leaks) leaked.push(Buffer.alloc(200_000));
    if (modelMs > 0) await sleep(modelMs);
    return messages.at(-1)!.text.includes('[Tool output') ? `Done.${'x'.repeat(length)}` : '<R:a>';
  },
  requestsPerMinute: 1e9,
  streams,
  ...(database !== undefined && { database }),
});
const { text } = await served.addToken('load');
async function report(): Promise<void> {
  for (let round = 0; round < 4; round++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send!({
    heap: (heapUsed + external) / 1e6,
    rss: rss / 1e6,
    connections: await served.server.connections(),
    unexpected: served.unexpected.map(String),
  });
}

process.on('message', () => void report());
process.on('disconnect', () => void served.close().then(() => process.exit()));
process.send!({ url: served.server.url, token: text });
