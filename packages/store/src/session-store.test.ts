import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { openDatabase } from './open-database.ts';
import { SCHEMA } from './schema.ts';
import { SESSION_STORE_CONTRACT } from './session-store-contract.ts';
import { openSqlDatabase } from './sql-database.ts';
import { Store } from './store.ts';

describe('a store of sessions in a file', () => {
  it.each(SESSION_STORE_CONTRACT)('$title', async ({ run }) => {
    const file = join(temporaryFolder(), 'bae.db');
    await run(async (options) => {
      const store = Store.open(file, options);
      onTestFinished(() => store.close());
      return store;
    });
  });

  it.each([1, 2, 3])('has the sessions of a file whose tables are of version %i, and can take them over', (version) => {
    const file = join(temporaryFolder(), 'bae.db');
    const old = openDatabase(file, { steps: SCHEMA.slice(0, version) });
    old.run("INSERT INTO sessions (id, label, started, cwd, meta, last_seq) VALUES ('a', '1', 0, '', '{}', 1)");
    const body = JSON.stringify({ label: '1', turn: 1, type: 'turn-start', prompt: 'old' });
    old.run("INSERT INTO events (session, seq, time, type, body) VALUES ('a', 1, 0, 'turn-start', ?)", body);
    old.close();
    const store = Store.open(file);
    const epoch = store.takeOver('a');
    store.append('a', { type: 'new' }, epoch);
    expect(store.eventsAfter('a', 0, 10).map(({ event, epoch: by }) => [event.type, by])).toEqual([
      ['turn-start', undefined],
      ['new', epoch],
    ]);
    store.close();
    expect(() => openDatabase(file, { steps: SCHEMA.slice(0, version - 1) })).toThrow(
      `(version ${SCHEMA.length} of these tables, this bae knows ${version - 1})`,
    );
  });
});

it('a store has everything that a file of the first bae with sessions has, and goes on with it', async () => {
  const file = join(temporaryFolder(), 'bae.db');
  writeFileSync(file, gunzipSync(readFileSync(join(import.meta.dirname, '../test/first-files/sessions.db.gz'))));
  const store = Store.open(file);
  onTestFinished(() => store.close());
  const hostile = 'Schöne “quotes”, \u0000 NUL, \u{1f600} and </R>';
  expect(store.sessions()).toMatchObject([
    { label: '1', cwd: '/home/ada/shop', meta: { model: 'scripted' }, turns: 1, messages: 2, calls: 1, entries: 3 },
    { prompt: 'How many notes are there?', started: new Date('2026-11-20T11:00:01Z') },
  ]);
  for (const [index, { id }] of store.sessions().entries()) {
    const prompt = index === 0 ? hostile : 'How many notes are there?';
    const events = store.events(id);
    expect(events.map(({ type }) => type)).toEqual(['turn-start', 'call-start', 'call-end', 'answer', 'turn-end']);
    expect(events[0]).toEqual({ label: '1', turn: 1, type: 'turn-start', prompt });
    expect(store.snapshot(id).messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', prompt],
      ['assistant', 'Two notes: milk and bread.'],
    ]);
    expect(store.keptResult(id, 'result:1')).toBe('line\n'.repeat(300));
    const { resume } = store.openSession(id, store.takeOver(id));
    expect(resume).toMatchObject({ id, turn: 1 });
    expect(store.append(id, { type: 'new' })).toBe(8);
  }
  expect(store.search('bread').map(({ content }) => content)).toHaveLength(4);
  expect(store.search('quotes')).toMatchObject([{ direction: 'input' }]);
});

describe('tables in a file', () => {
  const STEPS = ['CREATE TABLE sums (value BIGINT)'];
  let file = '';
  const open = () => {
    file = join(temporaryFolder(), 'a.db');
    const database = openSqlDatabase(file, { steps: STEPS });
    onTestFinished(() => database.close());
    return database;
  };

  it('keep all of a transaction or nothing, and other statements wait for its end', async () => {
    const database = open();
    const failing = database.transaction(async (queries) => {
      await queries.run('INSERT INTO sums VALUES ($1)', 1);
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('no');
    });
    const outside = database.run('INSERT INTO sums VALUES ($1)', 2);
    await expect(failing).rejects.toThrow('no');
    expect(await outside).toBe(1);
    expect(await database.all('SELECT value FROM sums WHERE value > $1', 0)).toEqual([{ value: 2 }]);
  });

  it('do not lose what two transactions add at once, also over several connections of one process', async () => {
    const database = open();
    const other = openSqlDatabase(file, { steps: STEPS, busyMs: 0 });
    onTestFinished(() => other.close());
    await database.run('INSERT INTO sums VALUES (0)');
    const add = (_: unknown, n: number) =>
      (n % 2 ? database : other).transaction(async (queries) => {
        const row = await queries.get('SELECT value FROM sums');
        await new Promise((resolve) => setImmediate(resolve));
        await queries.run('UPDATE sums SET value = $1', Number(row!['value']) + 1);
      });
    await Promise.all(Array.from({ length: 10 }, add));
    expect(await database.get('SELECT value FROM sums')).toEqual({ value: 10 });
  });
});
