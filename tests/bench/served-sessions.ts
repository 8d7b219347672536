import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@bae/client';
import { createAgent, defineResourcespace, tool } from '@bae/core';
import { LocalNotifier, makeToken, openFileStore, SERVER_TABLES, SqlServerStore, workOn } from '@bae/server';
import type { OpenAgent, ServerStore } from '@bae/server';
import { openPostgres } from '@bae/store-postgres';
import { startTestServer } from '@bae/store-postgres/testing';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';
import type { SteadyServer } from '../served/serve-steadily.ts';
import { timeOf, type Measurement } from './measure.ts';

const CALLS = 200;
const RESUMES = 21;
const SESSIONS = 200;
/** Time between two prompts, and time that the model takes: all sessions are worked on at the same time. */
const PAUSE_MS = 50;
const MODEL_MS = SESSIONS * PAUSE_MS;

/** A server resumes a session in little time, and stays quick while many are worked on. */
export async function servedSessions(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-'));
  const database = await startTestServer();
  try {
    const files = openFileStore(folder);
    const ofFiles = await resumeTime(files);
    await files.close();
    const postgres = await openPostgres({ url: await database.createDatabase() });
    const tables = await postgres.openTables({ name: 'server', steps: SERVER_TABLES });
    const ofPostgres = await resumeTime(new SqlServerStore({ sessions: postgres.sessions, database: tables }));
    await postgres.close();
    const inFiles = await latency({});
    const inPostgres = await latency({ database: await database.createDatabase() });
    const resume = { unit: 'ms', limit: { atMost: 100 } };
    // Beyond it people notice. The client has its part, and needs one of the cores.
    const request = { unit: 'ms', limit: { atMost: 500 } };
    return [
      { name: `resume after ${CALLS} calls, files`, value: ofFiles, ...resume },
      { name: `resume after ${CALLS} calls, PostgreSQL`, value: ofPostgres, ...resume },
      { name: `p99 of a request, ${SESSIONS} sessions, files`, value: inFiles, ...request },
      { name: `p99 of a request, ${SESSIONS} sessions, PostgreSQL`, value: inPostgres, ...request },
    ];
  } finally {
    await database.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from taking a prompt to the request to the model, the median. */
async function resumeTime(store: ServerStore): Promise<number> {
  const rights = { may: ['read'], spaces: ['*'], budget: {} } as const;
  const { token } = makeToken({ name: 'bench', created: new Date(), folders: [], sessionsOf: [], ...rights });
  await store.addToken(token);
  const { id } = await store.createSession({ owner: 'bench', workspace: { type: 'none' }, ...rights });
  const home = defineResourcespace({
    name: 'items',
    description: 'Items.',
    tools: { read: tool('An item.', { id: z.string() }, ({ id: item }) => `item ${item} `.repeat(20)) },
  });
  let asked = 0;
  let calls = 0;
  const respond = (): string => {
    asked ||= performance.now();
    return calls < CALLS ? `<R:${++calls}>` : 'Done.';
  };
  const openAgent: OpenAgent = async (_, { ask: _ask, wrapApprover: _wrap, memory: _memory, ...parts }) => {
    const model = new ScriptedModel(Array.from({ length: CALLS + 2 }, () => respond));
    const agent = createAgent({ home, model, maxBatches: 0, ...parts });
    return { agent, close: () => agent.close() };
  };
  const workshop = { store, notifier: new LocalNotifier(), openAgent };
  const signals = { leave: new AbortController().signal, stop: new AbortController().signal };
  const times: number[] = [];
  for (let round = 0; round <= RESUMES; round++) {
    await store.addPrompt(id, { text: 'Go on.' });
    asked = 0;
    const begun = performance.now();
    await workOn(id, workshop, signals);
    times.push(asked - begun);
  }
  // The first one had nothing to resume.
  return rank(times.slice(1), 0.5);
}

/** The time that all but one in a hundred requests take at most, in milliseconds, while many sessions are worked on. */
async function latency(options: SteadyServer): Promise<number> {
  const child = fork(join(import.meta.dirname, '../served/serve-steadily.ts'), [
    JSON.stringify({ modelMs: MODEL_MS, ...options }),
  ]);
  try {
    const [{ url, token }] = (await once(child, 'message')) as [{ readonly url: string; readonly token: string }];
    const client = new Client({ url, token });
    const times: number[] = [];
    const measure = async (request: () => Promise<unknown>): Promise<void> => void times.push(await timeOf(request));
    const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => client.createSession()));
    await Promise.all(
      sessions.map(async ({ id }, index) => {
        await sleep(index * PAUSE_MS);
        await measure(() => client.addPrompt(id, 'Take a step'));
        await measure(() => client.getSession(id));
      }),
    );
    // All of them are being worked on.
    await Promise.all(sessions.map(({ id }) => measure(() => client.getSession(id))));
    await sleep(MODEL_MS * 2);
    return rank(times, 0.99);
  } finally {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
}

function rank(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
