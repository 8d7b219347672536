import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@bae/client';
import { openPostgres } from '@bae/store-postgres';
import { startTestServer } from '@bae/store-postgres/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { SteadyServer } from '../served/serve-steadily.ts';
import { startSteadyServer, type Figures } from '../served/start-steady-server.ts';

/** 0 for some rounds as fast as they go; more for so many minutes at a pace that a quiet server has. */
const MINUTES = Number(process.env['BAE_MINUTES'] ?? 0);
const ROUNDS = 8;
const SESSIONS = 20;
/** Rounds in which caches and compiled code still grow. */
const WARM_UP = 3;
/** Most that may be held after the last round beyond what is held after the warm-up, in MB. */
const MOST_GROWN = 4;

/** A session from its start to its end, or left in the middle, as clients do. */
async function visit(client: Client, number: number): Promise<void> {
  const { id } = await client.createSession();
  const stop = new AbortController();
  await client.addPrompt(id, 'Take a step');
  if (number % 5 === 0) await client.cancel(id);
  for await (const { event } of client.follow(id, { signal: stop.signal }))
    if (event.type === 'prompt-end' || (number % 7 === 0 && event.type === 'turn-start')) break;
  stop.abort();
}

async function collectFigures(options: SteadyServer = {}): Promise<readonly Figures[]> {
  const { client, measure } = await startSteadyServer(options);
  const all: Figures[] = [];
  const end = Date.now() + MINUTES * 60_000;
  for (let round = 0; MINUTES === 0 ? round < ROUNDS : Date.now() < end; round++) {
    for (let number = 0; number < SESSIONS; number += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => visit(client, number + index)));
      if (MINUTES > 0) await sleep(2000);
    }
    const figures = await measure();
    all.push(figures);
    if (MINUTES > 0) process.stdout.write(`${JSON.stringify({ round, ...figures })}\n`);
  }
  return all;
}

function computeGrowth(figures: readonly Figures[]): number {
  // The least of the last ones: what the others have more was about to be freed.
  return Math.min(...figures.slice(-3).map(({ heap }) => heap)) - figures[WARM_UP]!.heap;
}

const PATIENCE = { timeout: MINUTES * 60_000 + 300_000 };

it('holds no more memory and no connection of sessions that are over, in files', PATIENCE, async ({ annotate }) => {
  const figures = await collectFigures();
  await annotate(describe(figures));
  expect(figures.flatMap(({ unexpected }) => unexpected)).toEqual([]);
  expect(computeGrowth(figures)).toBeLessThan(MOST_GROWN);
  // The client keeps some open for its next requests.
  expect(figures.at(-1)!.connections).toBeLessThanOrEqual(30);
});

it(
  'holds no more memory and no connection of sessions that are over, in PostgreSQL',
  PATIENCE,
  async ({ annotate }) => {
    const database = await startTestServer();
    onTestFinished(() => database.end());
    const url = await database.createDatabase();
    const figures = await collectFigures({ database: url });
    await annotate(describe(figures));
    expect(figures.flatMap(({ unexpected }) => unexpected)).toEqual([]);
    expect(computeGrowth(figures)).toBeLessThan(MOST_GROWN);
    const postgres = await openPostgres({ url, most: 1 });
    onTestFinished(() => postgres.close());
    const tables = await postgres.openTables({ name: 'none', steps: [] });
    const open = await tables.get(
      `SELECT count(*) AS all, count(*) FILTER (WHERE state <> 'idle') AS busy FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    // Those of one process: ten for queries, one that listens.
    expect(Number(open!['all'])).toBeLessThanOrEqual(11);
    expect(Number(open!['busy'])).toBe(0);
  },
);

it.skipIf(MINUTES > 0)('is found out when it keeps something of every session', PATIENCE, async () => {
  expect(computeGrowth(await collectFigures({ leaks: true }))).toBeGreaterThan(MOST_GROWN);
});

function describe(figures: readonly Figures[]): string {
  const show = (one: Figures): string => `${one.heap.toFixed(1)} (${one.rss.toFixed(0)})`;
  const shown = figures.filter((_, index) => index % Math.ceil(figures.length / 12) === 0);
  return `${figures.length * SESSIONS} sessions, MB held (resident): ${shown.map(show).join(', ')}; ${figures.at(-1)!.connections} connections`;
}
