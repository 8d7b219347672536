import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { serveAgents, type ServedAgents } from '../served/serve-agents.ts';

let served: ServedAgents | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await served?.close();
});

const SESSIONS = 200;
const STREAMS = 1000;

it(`follows ${SESSIONS} sessions at once, each with its own events in order`, async () => {
  served = await serveAgents({
    script: (messages) => {
      const { text } = messages.at(-1)!;
      const number = /number (\d+)/.exec(
        messages.findLast(({ text: one }) => one.includes('number '))?.text ?? '',
      )?.[1];
      return text.includes('[Tool output') ? `Answer ${number}.` : `<R:${number}>`;
    },
    requestsPerMinute: 1e6,
    streams: { mostOfToken: 1000 },
  });
  const { client } = await served.addToken('load', { may: ['read'] });
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => client.createSession()));
  await Promise.all(
    sessions.map(async ({ id }, number) => {
      const stop = new AbortController();
      const places: number[] = [];
      const types: string[] = [];
      const reading = (async () => {
        for await (const { seq, event } of client.follow(id, { signal: stop.signal })) {
          if (seq === undefined) continue;
          places.push(seq);
          types.push(event.type);
          if (event.type === 'answer') expect(event.text).toBe(`Answer ${number}.`);
          if (event.type === 'prompt-end') return;
        }
      })();
      await client.addPrompt(id, `Take number ${number}`);
      await reading;
      stop.abort();
      expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
      expect(types).toEqual([
        'prompt-queued',
        'turn-start',
        'response-end',
        'call-start',
        'call-end',
        'response-end',
        'answer',
        'turn-end',
        'prompt-end',
      ]);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const grown = (process.memoryUsage().rss - before) / 1e6;
  process.stdout.write(`${SESSIONS} sessions in ${seconds.toFixed(1)} s, ${grown.toFixed(0)} MB more\n`);
  expect(served.unexpected).toEqual([]);
});

it(`holds ${STREAMS} streams that are not read, and serves the others`, async () => {
  served = await serveAgents({
    script: () => 'x'.repeat(100_000),
    requestsPerMinute: 1e6,
    streams: { mostOfToken: STREAMS + 10, most: STREAMS + 10, slowMs: 5000 },
  });
  const { client, text } = await served.addToken('load');
  const { id } = await client.createSession();
  // More than the system keeps for a reader: 2 MB by default.
  for (let i = 0; i < 30; i++) await client.ask(id, 'More');
  const { hostname, port } = new URL(served.server.url);
  const before = process.memoryUsage().rss;
  for (let i = 0; i < STREAMS; i++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET /v1/sessions/${id}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${text}\r\n\r\n`);
  }
  expect(await client.ask(id, 'Are you there?')).toHaveLength(100_000);
  const grown = (process.memoryUsage().rss - before) / 1e6;
  process.stdout.write(`${STREAMS} streams that are not read: ${grown.toFixed(0)} MB more\n`);
  // All are dropped in the end, and nothing of them is left.
  await expect.poll(() => served!.server.connections(), { timeout: 120_000, interval: 500 }).toBeLessThan(10);
  expect(await client.ask(id, 'And now?')).toHaveLength(100_000);
  expect(served.unexpected).toEqual([]);
});
