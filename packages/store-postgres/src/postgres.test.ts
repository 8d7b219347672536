// @module-tag long

import { readBaeVersion } from '@bae/store/backend';
import { SESSION_STORE_CONTRACT } from '@bae/store/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Connections } from './connections.ts';
import { migrateTables, openPostgres } from './postgres.ts';
import { SESSION_TABLES } from './session-tables.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server?.end());

/** Opens a database for one test. */
async function open(url: string, options: Partial<Parameters<typeof openPostgres>[0]> = {}) {
  const postgres = await openPostgres({ url, most: 4, ...options });
  onTestFinished(() => postgres.close());
  return postgres;
}

describe('sessions in PostgreSQL', () => {
  it.each(SESSION_STORE_CONTRACT)('$title', async (promise) => {
    const url = await server.createDatabase();
    await promise.run(async (options) => (await open(url, options)).sessions);
  });

  it('are there after the server crashed and started again', async () => {
    const { sessions } = await open(await server.createDatabase());
    const id = await sessions.createSession();
    const epoch = await sessions.takeOver(id);
    const { log } = await sessions.openSession(id, epoch);
    await log.append({ label: '1', turn: 1, type: 'answer', text: 'kept' });
    await server.restart();
    await log.append({ label: '1', turn: 1, type: 'answer', text: 'and on' });
    expect((await sessions.eventsAfter(id, 0, 10)).map(({ event }) => event)).toEqual([
      { label: '1', turn: 1, type: 'answer', text: 'kept' },
      { label: '1', turn: 1, type: 'answer', text: 'and on' },
    ]);
  });
});

describe('a writer in PostgreSQL', () => {
  it('writes no more after a failure, because nobody knows what was written, until the session is taken over', async () => {
    const postgres = await open(await server.createDatabase());
    const { sessions } = postgres;
    const id = await sessions.createSession();
    const { log } = await sessions.openSession(id, await sessions.takeOver(id));
    const answer = (text: string) => ({ label: '1', turn: 1, type: 'answer', text }) as const;
    await log.append(answer('one'));
    const tables = await postgres.openTables({ name: 'none', steps: [] });
    const cut = `
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND datname = current_database() AND wait_event_type = 'Lock'`;
    const lost = tables.transaction(async (queries) => {
      await queries.run('UPDATE sessions SET label = label');
      const written = Promise.resolve(log.append(answer('two')));
      written.catch(() => undefined);
      while ((await queries.all(cut)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      return written;
    });
    await expect(lost).rejects.toMatchObject({ code: 'BAE_STORE' });
    await expect(log.append(answer('three'))).rejects.toMatchObject({ code: 'BAE_STORE' });
    const next = await sessions.openSession(id, await sessions.takeOver(id));
    await next.log.append(answer('four'));
    expect((await sessions.eventsAfter(id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('does not keep others from its session when it falls silent in the middle of a transaction', async () => {
    const postgres = await open(await server.createDatabase());
    const { sessions } = postgres;
    const id = await sessions.createSession();
    expect(await sessions.takeOver(id)).toBe(1);
    const tables = await postgres.openTables({ name: 'none', steps: [] });
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const { promise: wakes, resolve: wake } = Promise.withResolvers<void>();
    onTestFinished(() => wake());
    const silent = tables.transaction(async (queries) => {
      await queries.run('UPDATE sessions SET label = $1', 'lost');
      hold();
      await wakes;
      await queries.run('UPDATE sessions SET label = $1', 'lost too');
    });
    silent.catch(() => undefined);
    await isHeld;
    // A query gives up after 30 seconds.
    expect(await sessions.takeOver(id)).toBe(2);
    wake();
    await expect(silent).rejects.toMatchObject({ code: 'BAE_STORE' });
    expect((await sessions.sessions())[0]).toMatchObject({ label: '1' });
  });
});

describe('the tables of a database', () => {
  it('are made once, when many processes open it at the same time', async () => {
    const url = await server.createDatabase();
    const all = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    await all[0]!.sessions.createSession();
    expect(await all[5]!.sessions.sessions()).toHaveLength(1);
  });

  it('go from every version to the next, keep what they have, and are refused when they are newer', async () => {
    const url = await server.createDatabase();
    const steps = ['CREATE TABLE things (name TEXT)', `ALTER TABLE things ADD COLUMN size BIGINT`];
    const first = await (await open(url)).openTables({ name: 'things', steps: steps.slice(0, 1) });
    await first.run('INSERT INTO things VALUES ($1)', 'a');
    const second = await (await open(url)).openTables({ name: 'things', steps });
    expect(await second.all('SELECT * FROM things')).toEqual([{ name: 'a', size: null }]);
    const openFirst = async () => (await open(url)).openTables({ name: 'things', steps: steps.slice(0, 1) });
    const versions = '(version 2 of these tables, this bae knows 1). Nothing in it was changed.';
    const own = readBaeVersion();
    await expect(openFirst()).rejects.toThrow(
      `tables of things were made by bae ${own}, and this is bae ${own} ${versions}`,
    );
    const connections = new Connections({ url });
    onTestFinished(() => connections.close());
    await connections.query("UPDATE bae.versions SET bae = '9.8.7'");
    // One that changes nothing is not needed.
    await (await open(url)).openTables({ name: 'things', steps });
    await expect(openFirst()).rejects.toMatchObject({
      message: `database: its tables of things were made by bae 9.8.7, and this is bae ${own} ${versions}`,
      hints: ['update bae to 9.8.7 or later', 'use another database: --database postgres://HOST/NAME'],
    });
    // An early bae did not write its version.
    await connections.query('ALTER TABLE bae.versions DROP COLUMN bae');
    await expect(openFirst()).rejects.toThrow(`tables of things were made by a newer bae ${versions}`);
    await (await open(url)).openTables({ name: 'things', steps: [...steps, 'SELECT 1'] });
    expect((await connections.query('SELECT bae FROM bae.versions')).rows).toContainEqual({ bae: own });
  });

  it('of sessions have what the first version of them had', async () => {
    const url = await server.createDatabase();
    const connections = new Connections({ url });
    onTestFinished(() => connections.close());
    await migrateTables(connections, { name: 'sessions', steps: SESSION_TABLES.slice(0, 1) });
    await connections.query(`INSERT INTO sessions (id, label, started, cwd, meta) VALUES ('a', '1', 0, '/a', '{}')`);
    await connections.query(`
      INSERT INTO entries (session, time, channel, direction, content, meta, words)
      VALUES ('a', 0, 'ai', 'input', 'old login', '{}', to_tsvector('simple', 'old login'))`);
    await connections.query(`INSERT INTO results (session, number, time, body) VALUES ('a', 1, 0, '"whole"')`);
    const { sessions } = await open(url);
    expect(await sessions.sessions()).toMatchObject([{ id: 'a', entries: 1 }]);
    expect(await sessions.search('login', { cwd: '/a' })).toMatchObject([{ content: 'old login' }]);
    expect(await sessions.keptResult('a', 'result:1')).toBe('whole');
    await sessions.append('a', { type: 'new' }, await sessions.takeOver('a'));
  });

  it('keep all of a transaction or nothing', async () => {
    const sums = await (
      await open(await server.createDatabase())
    ).openTables({
      name: 'sums',
      steps: ['CREATE TABLE sums (value BIGINT); INSERT INTO sums VALUES (0)'],
    });
    const add = () =>
      sums.transaction(async (queries) => {
        const row = await queries.get('UPDATE sums SET value = value RETURNING value');
        await queries.run('UPDATE sums SET value = $1', Number(row!['value']) + 1);
      });
    await Promise.all(Array.from({ length: 10 }, add));
    const failing = sums.transaction(async (queries) => {
      await queries.run('UPDATE sums SET value = 99');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await sums.get('SELECT value FROM sums')).toEqual({ value: 10 });
  });
});

describe('a database that cannot be used', () => {
  it.each([
    ['postgres://bae:secret@127.0.0.1:1/x', 'postgres://bae:…@127.0.0.1:1/x: connect ECONNREFUSED 127.0.0.1:1.'],
    ['mysql://bae:secret@host/x', 'database: expected postgres://USER@HOST/NAME; got "mysql://bae:…@host/x".'],
    ['sessions.db', 'database: expected postgres://USER@HOST/NAME; got "sessions.db".'],
  ])('is reported without its password: %s', async (url, message) => {
    await expect(openPostgres({ url, patienceMs: 0 })).rejects.toMatchObject({ name: 'StoreError', message });
  });

  it('is reported when there is none of its name', async () => {
    const url = (await server.createDatabase()).replace(/\w+$/, 'nothing');
    await expect(openPostgres({ url })).rejects.toThrow('database "nothing" does not exist.');
  });

  it('is reported without its address once it was opened, because models read that', async () => {
    const tables = await (await open(await server.createDatabase())).openTables({ name: 'none', steps: [] });
    await expect(tables.all('SELECT nothing FROM sessions')).rejects.toThrow(
      /^the database refused a statement: column "nothing" does not exist\.$/,
    );
    const connections = new Connections({ url: 'postgres://bae@127.0.0.1:1/x', patienceMs: 0 });
    onTestFinished(() => connections.close());
    await expect(connections.query('SELECT 1')).rejects.toThrow(/^the database cannot be reached now\.$/);
  });

  it('keeps its clients waiting no longer than they want, when it stops', async () => {
    const own = await startTestServer();
    const url = await own.createDatabase();
    const { sessions } = await open(url, { patienceMs: 60_000, retryMs: 0 });
    await own.end();
    // The first may learn of the broken connection only by its query.
    await sessions.sessions(1).catch(() => undefined);
    await expect(sessions.sessions(1)).rejects.toThrow('the database cannot be reached now.');
  });
});
