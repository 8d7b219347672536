import { join } from 'node:path';
import { createAgent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { sample } from '../test/sample-events.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { steadyClock, temporaryStore } from '../test/temporary-store.ts';
import { openDatabase } from './open-database.ts';
import { makeSessionId, Store } from './store.ts';

describe('the sessions of a store', () => {
  it('are listed newest first, with how much happened in them', () => {
    const store = temporaryStore();
    const first = store.createSession({ label: 'work', cwd: '/home/ada', meta: { model: 'x', tags: ['a'] } });
    const second = store.createSession();
    const log = store.log(first);
    log.append(sample.turnStart(1, 'Why is\n\n  the build red?'));
    log.append(sample.callStart('1'));
    log.append(sample.callEnd('1', 'text'));
    log.append(sample.runStart('2'));
    log.append(sample.turnStart(2, 'And now?'));
    log.record({ kind: 'message', message: { role: 'user', text: 'x' } });
    log.record({ kind: 'seen', key: 'a', value: 'b' });
    expect(store.sessions()).toStrictEqual([
      {
        id: second,
        label: '1',
        started: new Date('2026-11-20T10:00:02Z'),
        cwd: '',
        meta: {},
        turns: 0,
        messages: 0,
        calls: 0,
        entries: 0,
      },
      {
        id: first,
        label: 'work',
        started: new Date('2026-11-20T10:00:01Z'),
        cwd: '/home/ada',
        meta: { model: 'x', tags: ['a'] },
        turns: 2,
        messages: 1,
        calls: 2,
        entries: 3,
        prompt: 'Why is the build red?',
      },
    ]);
  });

  it('show at most 60 characters of the first prompt', () => {
    const store = temporaryStore();
    const log = store.log(store.createSession());
    log.append(sample.turnStart(1, '😀'.repeat(61)));
    expect(store.sessions()[0]?.prompt).toBe(`${'😀'.repeat(59)}…`);
  });

  it('are ordered when the clock stands still, and over several stores', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const now = () => new Date('2026-11-20T10:00:00Z');
    const stores = [Store.open(file, { now }), Store.open(file, { now })];
    const ids = Array.from({ length: 20 }, (_, index) => stores[index % 2]!.createSession());
    expect(stores[0]!.sessions().map(({ id }) => id)).toEqual(ids.toReversed());
    expect(stores[1]!.sessions(3).map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 3));
    for (const store of stores) store.close();
  });

  it('take the time from the machine by default', () => {
    const store = temporaryStore({});
    const before = Date.now();
    store.createSession();
    const started = store.sessions()[0]!.started.getTime();
    expect(started).toBeGreaterThanOrEqual(before);
    expect(started).toBeLessThanOrEqual(Date.now());
  });

  it('are there after closing and opening, and closing twice does no harm', () => {
    const file = join(temporaryFolder(), '.bae/bae.db');
    const first = Store.open(file);
    const id = first.createSession({ label: 'kept' });
    first.log(id).append(sample.turnStart(1, 'hello'));
    first.close();
    first.close();
    const second = Store.open(file);
    expect(second.file).toBe(file);
    expect(second.sessions().map(({ label, prompt }) => [label, prompt])).toEqual([['kept', 'hello']]);
    expect(second.events(id)).toEqual([sample.turnStart(1, 'hello')]);
    second.close();
    expect(() => second.sessions()).toThrow(`${file}: the database is closed.`);
  });

  it('have to exist', () => {
    const store = temporaryStore();
    const missing = expect.objectContaining({
      name: 'StoreError',
      message: "no session 'nope'.",
      hints: ['list the sessions: bae sessions'],
    });
    for (const use of ['log', 'results', 'snapshot', 'events'] as const)
      expect(() => store[use]('nope')).toThrow(missing);
  });

  it('do not write for a session that was removed meanwhile', () => {
    const store = temporaryStore();
    const id = store.createSession();
    const [log, results] = [store.log(id), store.results(id)];
    const database = openDatabase(store.file);
    database.run('DELETE FROM sessions');
    database.close();
    expect(() => log.append(sample.turnStart(1, 'x'))).toThrow(`no session '${id}'.`);
    expect(() => results.keep('x')).toThrow('FOREIGN KEY constraint failed');
  });
});

describe('keeping the newest sessions', () => {
  it('removes older ones whole, but none that may be running', () => {
    let time = Date.parse('2026-11-01T10:00:00Z');
    const store = temporaryStore({ now: () => new Date((time += 1000)) });
    const ids = Array.from({ length: 4 }, () => store.createSession());
    for (const id of ids) {
      store.log(id).append(sample.turnStart(1, 'hello'));
      store.log(id).record({ kind: 'held', text: 'x' });
      store.results(id).keep('whole');
    }
    store.tag(1, { add: ['kept'] });
    time += 48 * 60 * 60 * 1000;
    store.log(ids[1]!).append(sample.answer('still running'));
    expect(store.keepNewest(2)).toBe(1);
    expect(store.sessions().map(({ id }) => id)).toEqual([ids[3], ids[2], ids[1]]);
    expect([store.search('hello').length, store.tags().size]).toEqual([3, 0]);
    const database = openDatabase(store.file);
    for (const table of ['events', 'records', 'results'])
      expect(database.get(`SELECT count(*) AS n FROM ${table} WHERE session = ?`, ids[0]!)).toEqual({ n: 0 });
    database.close();
  });
});

describe('a session of an agent', () => {
  const say = (...texts: string[]) => ({
    name: 'test',
    async *respond() {
      yield { type: 'text-delta' as const, text: texts.shift() ?? 'done' };
      yield { type: 'end' as const, reason: 'stop' as const };
    },
  });

  it('is written down, and goes on where it was', async () => {
    const file = join(temporaryFolder(), 'bae.db');
    const first = Store.open(file, { now: steadyClock() });
    const id = first.createSession({ label: 'work' });
    const own = { label: 'work', log: first.log(id), results: first.results(id) };
    expect(await createAgent({ model: say('<help:>', 'All done.'), ...own }).ask('help me')).toBe('All done.');
    first.close();

    const second = Store.open(file);
    const snapshot = second.snapshot(id);
    expect(snapshot).toMatchObject({ id, label: 'work', turn: 1, lastId: 1, unfinished: [], unsent: [], held: [] });
    expect(snapshot.messages.filter(({ role }) => role !== 'system').map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    const agent = createAgent({ model: say(), resume: snapshot, log: second.log(id), results: second.results(id) });
    expect(agent.id).toBe(id);
    expect(await agent.ask('go on')).toBe('done');
    expect(second.sessions()[0]).toMatchObject({ turns: 2, prompt: 'help me' });
    expect(second.search('help').map(({ channel }) => channel)).toContain('tool');
    second.close();
  });
});

const NOON = new Date('2026-11-20T12:00:00Z');

describe('makeSessionId', () => {
  it('is a UUID of version 7 that begins with its time', () => {
    for (let round = 0; round < 100; round++) {
      const id = makeSessionId(NOON);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(NOON.getTime());
    }
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => makeSessionId(NOON))).size).toBe(1000);
  });

  it.each([0, -1, -3_600_000, 1])('sorts after the one before when the clock goes on by %i ms', (step) => {
    let previous = makeSessionId(NOON);
    for (let round = 1; round < 100; round++) {
      const next = makeSessionId(new Date(NOON.getTime() + round * step), previous);
      expect(next > previous).toBe(true);
      previous = next;
    }
  });
});
