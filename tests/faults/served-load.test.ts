import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { serveAgents, type ServedAgents } from '../served/serve-agents.ts';
import { startSteadyServer, type Figures } from '../served/start-steady-server.ts';

let served: ServedAgents | undefined;
afterEach(async () => {
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

/** Together they are more than the system keeps for a reader: two of this length for each prompt. */
const LENGTH = 100_000;
const PROMPTS = 25;
/** Most that a stream may hold: one piece of 256 KB, one event beyond it, and itself. */
const MOST_HELD_KB = 500;
/** Connections of the client. */
const MOST_OTHERS = 20;
/** Most that a server holds of them once all are dropped, in MB: the texts of the session, not the streams. */
const MOST_KEPT_MB = 20;
const PATIENCE = { timeout: 1_200_000 };

it(`holds ${STREAMS} slow streams with little memory, drops them, and they resume`, PATIENCE, async ({ annotate }) => {
  const { url, token, client, measure } = await startSteadyServer({
    length: LENGTH,
    streams: { mostOfToken: STREAMS + 10, most: STREAMS + 10, slowMs: 10_000 },
  });
  const { id } = await client.createSession();
  const before = await measure();
  const readers = await Promise.all(
    Array.from({ length: STREAMS }, () => SlowReader.open(`${url}/v1/sessions/${id}/events`, token)),
  );
  onTestFinished(() => {
    for (const reader of readers) reader.destroy();
  });
  const all = [await measure()];
  expect(all[0]!.connections).toBeGreaterThan(STREAMS);
  // Half of them read nothing, the others little. Meanwhile others are served.
  const reading = readers.filter((_, index) => index % 2 === 0);
  const holdsStreams = ({ connections, heap }: Figures) =>
    connections > MOST_OTHERS || heap - before.heap > MOST_KEPT_MB;
  for (let count = 0; count < PROMPTS || holdsStreams(all.at(-1)!); count++) {
    if (count < PROMPTS) expect(await client.ask(id, 'More')).toHaveLength(LENGTH + 5);
    else await sleep(1000);
    for (const reader of reading) reader.take(1000);
    all.push(await measure());
  }
  const held = (Math.max(...all.map(({ heap }) => heap)) - before.heap) * 1000;
  expect(held / STREAMS).toBeLessThan(MOST_HELD_KB);

  const { events } = await client.export(id);
  for (const reader of reading.filter((_, index) => index % 50 === 0)) {
    const seen = await reader.takeRest();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(events.length);
    for await (const { seq, event } of client.follow(id, { after: seen.at(-1)!.seq })) {
      if (seq === undefined) continue;
      seen.push({ seq, event });
      if (seen.length === events.length) break;
    }
    expect(seen).toEqual(events.map(({ seq, event }) => ({ seq, event })));
  }
  const { rss, unexpected } = await measure();
  expect(unexpected).toEqual([]);
  const peak = Math.max(...all.map((one) => one.rss));
  await annotate(
    `at most ${(held / STREAMS).toFixed(0)} kB a stream; resident: ${before.rss.toFixed(0)} MB before, ${peak.toFixed(0)} with them, ${rss.toFixed(0)} after`,
  );
});

/** A reader of events, who takes as much as the test says. */
class SlowReader {
  readonly #response: IncomingMessage;
  #text = '';

  private constructor(response: IncomingMessage) {
    this.#response = response.setEncoding('utf8').on('error', () => undefined);
    response.pause();
  }

  static async open(url: string, token: string): Promise<SlowReader> {
    const request = get(url, { agent: false, headers: { authorization: `Bearer ${token}` } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    return new SlowReader(response);
  }

  take(length: number): void {
    this.#text += (this.#response.read(length) as string | null) ?? '';
  }

  /** Takes what came before it was dropped, and returns the events that came whole. */
  async takeRest(): Promise<{ seq: number; event: unknown }[]> {
    this.#response.on('data', (text: string) => (this.#text += text)).resume();
    if (!this.#response.closed) await new Promise((done) => this.#response.once('close', done));
    return [...this.#text.matchAll(/^id: (\d+)\nevent: .*\ndata: (.*)\n\n/gm)].map(([, seq, data]) => {
      return { seq: Number(seq), event: JSON.parse(data!) as unknown };
    });
  }

  destroy(): void {
    this.#response.destroy();
  }
}
