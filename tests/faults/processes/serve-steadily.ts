// A server whose agents take one step for each prompt; it reports what it holds after everything that can be freed is.
import { serveAgents } from '../../served/serve-agents.ts';

const [, , database = '', leak = ''] = process.argv;
/** What a server with a fault would keep, to see that the test finds it. */
const leaked: string[] = [];

const served = await serveAgents({
  script: (messages) => {
    if (leak !== '') leaked.push('x'.repeat(50_000) + messages.length);
    return messages.at(-1)!.text.includes('[Tool output') ? 'Done.' : '<R:a>';
  },
  requestsPerMinute: 1e9,
  ...(database !== '' && { database }),
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
