import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_TABLES, SqlServerStore } from '@bae/server';
import { openPostgres, WorkQueue } from '@bae/store-postgres';
import { startTestServer } from '@bae/store-postgres/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RandomSource } from './random-source.ts';
import { scratchFolder } from './scratch-folder.ts';
import { findFaults, readJournals, type KeptEntry, type WorkHistory } from './work-history.ts';
import { WorkerFleet, type Harm, type LastingHarm } from './worker-fleet.ts';
import { WorkerNetwork } from './worker-network.ts';

/** In all: by hand 1,000, for which it takes an hour; 50 on the build server. */
const KILLS = Number(process.env['BAE_KILLS'] ?? (process.env['CI'] === undefined ? 1000 : 50));
const SESSIONS = 50;
/** Prompts that are being worked on, or wait, at any time. */
const BUSY = 15;

/** What is done, as often as it is named. */
const HARMS: readonly Harm[] = [
  ...Array.from({ length: 9 }, () => 'kill' as const),
  ...(['reset', 'reset', 'reset', 'delay', 'drain', 'drain', 'stop', 'swallow', 'restart'] as const),
];

/** More of it where workers can have a network of their own, which is cut in the middle of what they say. */
const PARTED: readonly Harm[] = [...HARMS, 'part', 'part'];

const KEPT = `
  SELECT session, seq, epoch, body FROM events
  UNION ALL SELECT session, seq, NULL, NULL FROM records ORDER BY session, seq`;

/** A database with sessions, as a server has it. */
async function openStage() {
  const server = await startTestServer();
  onTestFinished(() => server.end());
  const url = await server.createDatabase();
  const postgres = await openPostgres({ url, patienceMs: 60_000 });
  const database = await postgres.openTables({ name: 'server', steps: SERVER_TABLES });
  const store = new SqlServerStore({ sessions: postgres.sessions, database });
  const queue = await WorkQueue.open({ url, report: () => undefined });
  onTestFinished(async () => {
    await queue.close();
    await postgres.close();
  });
  const own = {
    owner: 'test',
    workspace: { type: 'none' },
    spaces: ['*'],
    may: ['read', 'write'],
    budget: {},
  } as const;
  const rights = { may: ['read', 'write'], spaces: ['*'], folders: [], sessionsOf: [], budget: {} } as const;
  await store.addToken({ id: 'test', name: 'test', hash: '', created: new Date(), ...rights });
  const prompts: string[] = [];
  /** Tries again when the database is just away, as a client would. */
  const persist = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch {
        await sleep(200);
      }
    }
  };
  return {
    server,
    url,
    store,
    prompts,
    createSession: async () => (await store.createSession(own)).id,
    /** Asks a session for some notes. */
    async ask(session: string, notes: number) {
      const key = `p${prompts.length}`;
      const text = `write ${notes} notes of ${key}`;
      const { id } = await persist(() => store.addPrompt(session, { text, key }));
      prompts.push(id);
      await persist(() => queue.dispatch(session));
    },
    countOpen: () => persist(async () => Number((await database.get(OPEN))?.['count'])),
    async readHistory(folder: string): Promise<WorkHistory> {
      const kept = (await persist(() => database.all(KEPT))) as unknown as KeptEntry[];
      return { ...readJournals(folder), kept, prompts };
    },
  };
}

const OPEN = "SELECT count(*) AS count FROM prompts WHERE state <> 'done'";

describe('sessions that workers share', () => {
  it(
    `lose nothing, do nothing twice and all end, though workers and their database are harmed ${KILLS} times`,
    { timeout: 120_000 + KILLS * 10_000 },
    async ({ annotate }) => {
      const random = new RandomSource(KILLS);
      const folder = scratchFolder();
      const stage = await openStage();
      const sessions = [];
      for (let count = 0; count < SESSIONS; count++) sessions.push(await stage.createSession());
      for (const session of sessions) await stage.ask(session, 5);
      const network = await openNetwork();
      const fleet = new WorkerFleet({ ...stage, folder, random, network });
      onTestFinished(() => fleet.end());
      await fleet.start(3);
      const done: Partial<Record<Harm, number>> = {};
      for (let count = 0; count < KILLS; count++) {
        await sleep(random.below(800));
        const harm = random.pick(network === undefined ? HARMS : PARTED);
        done[harm] = (done[harm] ?? 0) + 1;
        await fleet.harm(harm);
        expect(fleet.crashed).toEqual([]);
        for (let open = await stage.countOpen(); open < BUSY; open++) await stage.ask(random.pick(sessions), 5);
      }
      await fleet.recover();
      while ((await stage.countOpen()) > 0 && fleet.crashed.length === 0) await sleep(200);
      expect(fleet.crashed).toEqual([]);
      const history = await stage.readHistory(folder);
      expect(findFaults(history)).toEqual([]);
      const takes = [...history.journals.values()].flat().filter(({ type }) => type === 'take').length;
      expect(takes).toBeGreaterThan(stage.prompts.length);
      await annotate(
        `${JSON.stringify(done)}: ${stage.prompts.length} prompts, ${takes} times taken, ${history.kept.length} entries, ${history.notes.length} notes`,
      );
    },
  );

  it.for<[string, LastingHarm]>([
    ['dies', 'kill'],
    ['is frozen', 'stop'],
    ['is cut off', 'part'],
  ])('are taken over within 20 seconds when one of three busy workers %s', async ([, harm], { annotate, skip }) => {
    const folder = scratchFolder();
    const stage = await openStage();
    const network = harm === 'part' ? await openNetwork() : undefined;
    if (harm === 'part' && network === undefined) skip('no network namespaces here');
    const fleet = new WorkerFleet({ ...stage, folder, random: new RandomSource(1), network });
    onTestFinished(() => fleet.end());
    await fleet.start(3);
    for (let count = 0; count < SESSIONS; count++) await stage.ask(await stage.createSession(), 150);
    while (findHolders(folder).size < SESSIONS) await sleep(100);
    const held = [...findHolders(folder)].filter(([, worker]) => worker === 'worker-1.jsonl').map(([id]) => id);
    expect(held.length).toBeGreaterThan(0);
    const harmed = Date.now();
    await fleet.harmForGood(harm, 1);
    let holders = findHolders(folder);
    while (held.some((session) => holders.get(session) === 'worker-1.jsonl')) {
      await sleep(250);
      holders = findHolders(folder);
    }
    const seconds = (Date.now() - harmed) / 1000;
    await annotate(`${held.length} of ${SESSIONS} sessions, the last one after ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(20);
    expect(fleet.crashed).toEqual([]);
  });
});

/** Cables for workers, where that works. */
async function openNetwork(): Promise<WorkerNetwork | undefined> {
  if ((await WorkerNetwork.findObstacle()) !== undefined) return undefined;
  const network = await WorkerNetwork.open();
  onTestFinished(() => network.end());
  return network;
}

/** Who took each session last. */
function findHolders(folder: string): ReadonlyMap<string, string> {
  const takes = [...readJournals(folder).journals].flatMap(([worker, entries]) =>
    entries.flatMap((entry) => (entry.type === 'take' ? [{ worker, ...entry }] : [])),
  );
  return new Map(
    takes.toSorted((one, other) => one.epoch - other.epoch).map(({ session, worker }) => [session, worker]),
  );
}

describe('a checker of histories', () => {
  const event = (seq: number, epoch: number | null, body: object): KeptEntry => {
    return { session: 's', seq, epoch, body: JSON.stringify(body) };
  };
  const start = { type: 'call-start', tag: '<W:a>' };
  const ended = { type: 'prompt-end', prompt: 'p', outcome: 'answered' };
  const good: WorkHistory = {
    kept: [event(1, null, { type: 'prompt-queued' }), event(2, 1, start), event(3, 2, ended)],
    journals: new Map([
      ['a', [{ type: 'take', session: 's', epoch: 1, time: 0 }]],
      ['b', [{ type: 'written', session: 's', epoch: 2, event: ended }]],
    ]),
    notes: [{ type: 'begin', session: 's', target: 'a', process: 1 }],
    prompts: ['p'],
  };

  it.each<[string, Partial<WorkHistory>, string]>([
    ['nothing', {}, ''],
    ['a gap', { kept: good.kept.toSpliced(0, 1) }, 's: a gap before place 2'],
    [
      'a writer that should have been fenced',
      { kept: [...good.kept, event(4, 1, { type: 'x' })] },
      's: place 4 was written under epoch 1, after 2',
    ],
    [
      'an epoch with two writers',
      { journals: new Map([...good.journals, ['c', [{ type: 'take', session: 's', epoch: 1, time: 0 }]]]) },
      's, epoch 1: a and c have it',
    ],
    [
      'an acknowledged event that is lost',
      { journals: new Map([['a', [{ type: 'written', session: 's', epoch: 1, event: { type: 'y' } }]]]) },
      's: lost: {"type":"y"}',
    ],
    ['a call that was run twice', { notes: [...good.notes, ...good.notes] }, 's <W:a> was run 2 times'],
    [
      'a call without a start',
      { notes: [...good.notes, { type: 'begin', session: 's', target: 'b', process: 1 }] },
      's <W:b> was run without a start',
    ],
    ['a prompt without an end', { prompts: ['p', 'q'] }, 'prompt q ended as: nothing'],
  ])('finds %s', (_, change, fault) => {
    expect(findFaults({ ...good, ...change }).join()).toBe(fault);
  });
});
