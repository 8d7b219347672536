import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Question, Session } from '@bae/client';
import { FencedError, openSqlDatabase, Store } from '@bae/store';
import { openPostgres } from '@bae/store-postgres';
import { startTestServer, type TestServer } from '@bae/store-postgres/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/serve-scripted.ts';
import type { NewServedSession, ServerStore } from '../ports.ts';
import { makeToken } from '../tokens/token.ts';
import { openFileStore, SqlServerStore } from './server-store.ts';
import { SERVER_TABLES } from './server-tables.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server?.end());

/** Opens one more store on the same data. @param steps those of an earlier version */
type Open = (steps?: readonly string[]) => Promise<ServerStore>;

/** Where a store can be. Each makes an empty place and returns what opens it. */
const PLACES: Readonly<Record<string, () => Promise<Open>>> = {
  files: async () => {
    const folder = temporaryFolder();
    return async (steps) => {
      if (steps === undefined) return openFileStore(folder);
      const database = openSqlDatabase(join(folder, 'server.db'), { steps });
      return new SqlServerStore({ sessions: Store.open(join(folder, 'sessions.db')), database });
    };
  },
  PostgreSQL: async () => {
    const url = await server.createDatabase();
    return async (steps = SERVER_TABLES) => {
      const postgres = await openPostgres({ url, most: 4 });
      onTestFinished(() => postgres.close());
      const database = await postgres.openTables({ name: 'server', steps });
      return new SqlServerStore({ sessions: postgres.sessions, database });
    };
  },
};

/** Data that the first bae with these tables wrote. */
const FIRST: Readonly<Record<string, () => Promise<ServerStore>>> = {
  files: async () => {
    const folder = temporaryFolder();
    for (const name of ['sessions.db', 'server.db'])
      writeFileSync(join(folder, name), gunzipSync(readFileSync(join(FIRST_FILES, `${name}.gz`))));
    return openFileStore(folder);
  },
  PostgreSQL: async () => {
    const url = await server.createDatabase(readFileSync(join(FIRST_FILES, 'postgres.sql'), 'utf8'));
    const postgres = await openPostgres({ url, most: 4 });
    onTestFinished(() => postgres.close());
    const database = await postgres.openTables({ name: 'server', steps: SERVER_TABLES });
    return new SqlServerStore({ sessions: postgres.sessions, database });
  },
};
const FIRST_FILES = join(import.meta.dirname, '../../test/first-files');

it.each(Object.entries(FIRST))(
  'has what the first bae that served sessions kept in %s, and goes on',
  async (_, open) => {
    const store = await open();
    onTestFinished(() => store.close());
    const [session, ...others] = await store.listSessions({ owners: ['ada'], limit: 9 });
    expect([session, others]).toMatchObject([{ ...NEW, state: 'working', spent: { tokens: 20, dollars: 0.5 } }, []]);
    const { id } = session!;
    const text = 'Schöne “quotes”, \u0000 NUL, \u{1f600} and </R>';
    expect(await store.listTokens()).toMatchObject([
      { name: 'ada', may: ['read'], created: new Date('2026-11-24T16:00Z') },
    ]);
    expect(await store.listQuestions(id)).toMatchObject([{ id: 'q1', text }]);
    expect(await store.readAudit(9)).toMatchObject([{ by: 'operator', what: 'token created', detail: 'ada' }]);
    const said = { type: 'turn-start', prompt: 'How many notes are there?' };
    expect(await store.readEvents(id, 0, 9)).toMatchObject([{ event: said }, { event: { type: 'answer' } }]);
    const taken = (await store.takePrompt(id))!;
    expect(taken).toMatchObject({ text, tries: 1, takenAt: 4 });
    const { resume, results, log } = await store.openLog(id, taken.epoch);
    expect(resume?.messages.map((message) => message.text)).toEqual([said.prompt, 'Two notes: milk and bread.']);
    expect(results.get('result:1')).toBe('line\n'.repeat(300));
    await log.append({ label: '1', turn: 2, type: 'turn-start', prompt: text });
    const found = await store.openMemory(session!).store.search('bread', { cwd: '' });
    expect(found.map(({ content }) => content)).toEqual(['Two notes: milk and bread.']);
    await store.closePrompt({ ...taken, outcome: 'answered' });
    expect(await store.takePrompt(id)).toBeUndefined();
  },
);

const RIGHTS = { may: ['read'], spaces: ['*'], folders: [], sessionsOf: [], budget: {} } as const;
const NEW: NewServedSession = { owner: 'ada', workspace: { type: 'none' }, spaces: ['*'], may: ['read'], budget: {} };
const HOSTILE = `a\0b \ud800 '"; DROP TABLE prompts; --`;

describe.each(Object.entries(PLACES))('what a server keeps in %s', (_, makePlace) => {
  async function open(): Promise<{ readonly store: ServerStore; readonly openAgain: Open; readonly id: string }> {
    const place = await makePlace();
    const openAgain = async () => {
      const store = await place();
      onTestFinished(() => store.close());
      return store;
    };
    const store = await openAgain();
    return { store, openAgain, id: (await store.createSession(NEW)).id };
  }

  it.each(SERVER_TABLES.slice(1).map((_step, index) => index + 1))(
    'is what version %i of its tables had, and is then refused to that version',
    async (version) => {
      const place = await makePlace();
      const steps = SERVER_TABLES.slice(0, version);
      const old = await place(steps);
      const { token } = makeToken({ name: 'ada', created: new Date(1), ...RIGHTS });
      await old.addToken(token);
      const { id } = await old.createSession(NEW);
      const prompt = await old.addPrompt(id, { text: HOSTILE, key: 'k' });
      await old.addAudit({ time: new Date(2), by: 'operator', what: 'token created' });
      await old.close();
      const store = await place();
      onTestFinished(() => store.close());
      await store.noteTokenUse(token.id, new Date(3));
      expect(await store.listTokens()).toMatchObject([{ ...token, used: new Date(3) }]);
      expect(await store.takePrompt(id)).toMatchObject({ id: prompt.id, text: HOSTILE, tries: 1 });
      expect(await store.readAudit(9)).toMatchObject([{ by: 'operator', what: 'token created' }]);
      await expect(place(steps)).rejects.toThrow(
        new RegExp(`made by bae 0.* .version ${SERVER_TABLES.length} of these tables, this bae knows ${version}`),
      );
    },
  );

  it('has sessions, newest first, of some owners', async () => {
    const { store, id } = await open();
    const quoted = `o'"; --`;
    const other = await store.createSession({ ...NEW, owner: quoted });
    const last = await store.createSession(NEW);
    const list = async (owners: string[], limit = 10, before?: string) =>
      (await store.listSessions({ owners, limit, before })).map((session) => session.id);
    expect(await list(['ada'])).toEqual([last.id, id]);
    expect(await list(['ada'], 1)).toEqual([last.id]);
    expect(await list(['ada'], 10, last.id)).toEqual([id]);
    expect(await list([quoted])).toEqual([other.id]);
    expect(await list([])).toEqual([]);
    await store.addPrompt(id, { text: 'one' });
    const { epoch } = (await store.takePrompt(id))!;
    await store.setState(id, 'waiting', epoch);
    await expect(store.setState(id, 'working', epoch - 1)).rejects.toThrow(FencedError);
    expect(await store.readSession(id)).toMatchObject({ ...NEW, id, state: 'waiting', spent: { tokens: 0 } });
    expect(await store.readSession('nope')).toBeUndefined();
  });

  it('has the prompts of a session in their order, one at a time, and one for a key', async () => {
    const { store, openAgain, id } = await open();
    const texts = ['one', HOSTILE];
    for (const text of texts) await store.addPrompt(id, { text });
    const [same, again] = await Promise.all([
      store.addPrompt(id, { text: 'three', key: 'k' }),
      (await openAgain()).addPrompt(id, { text: 'three', key: 'k' }),
    ]);
    await expect(store.addPrompt(id, { text: 'other', key: 'k' })).rejects.toThrow('a prompt with another text');
    expect(same.id).toBe(again.id);
    expect(same.isNew).not.toBe(again.isNew);
    expect(await store.countWaiting(id)).toBe(3);
    expect(await store.listUnfinished()).toEqual([id]);
    const first = (await store.takePrompt(id))!;
    expect(first).toMatchObject({ text: 'one', state: 'working', tries: 1, takenAt: 0 });
    // Its worker ended: the next one goes on with the same.
    const taken = (await (await openAgain()).takePrompt(id))!;
    expect(taken).toMatchObject({ id: first.id, tries: 2 });
    expect(taken.epoch).toBeGreaterThan(first.epoch);
    await store.endPrompt(taken, 'answered');
    expect(await store.readPrompt(first.id)).toMatchObject({ state: 'done', outcome: 'answered' });
    const told = (await store.takePrompt(id))!;
    expect(told).toMatchObject({ id: first.id, outcome: 'answered' });
    await store.closePrompt({ ...told, outcome: 'answered' });
    expect(await store.takePrompt(id)).toMatchObject({ text: HOSTILE, tries: 1 });
    await expect(store.addPrompt('nope', { text: 'x' })).rejects.toThrow("no session 'nope'.");
  });

  it('knows how many sessions wait, and are worked on, whoever does it', async () => {
    const { store, openAgain, id } = await open();
    expect(await store.countUnfinished()).toEqual({ waiting: 0, running: 0 });
    const other = await store.createSession(NEW);
    for (const session of [id, id, other.id]) await store.addPrompt(session, { text: 'x' });
    expect(await store.countUnfinished()).toEqual({ waiting: 2, running: 0 });
    const taken = (await (await openAgain()).takePrompt(id))!;
    expect(await store.countUnfinished()).toEqual({ waiting: 1, running: 1 });
    await store.closePrompt({ ...taken, outcome: 'answered' });
    await store.requestCancel(other.id);
    // The end of a cancelled prompt waits for a worker, too.
    expect(await store.countUnfinished()).toEqual({ waiting: 2, running: 0 });
  });

  it('remembers where the log was when a prompt was first taken, even if it was empty', async () => {
    const { store, id } = await open();
    await store.addPrompt(id, { text: 'First' });
    const first = (await store.takePrompt(id))!;
    expect(first).toMatchObject({ takenAt: 0, tries: 1 });
    await store.append(
      id,
      { type: 'prompt-end', label: '1', turn: 1, prompt: first.id, outcome: 'answered' },
      first.epoch,
    );
    expect(await store.takePrompt(id)).toMatchObject({ id: first.id, takenAt: 0, tries: 2 });
  });

  it('fences whoever worked on a session before', async () => {
    const { store, openAgain, id } = await open();
    const other = await openAgain();
    await store.addPrompt(id, { text: 'one' });
    const stalled = (await store.takePrompt(id))!;
    const { log } = await store.openLog(id, stalled.epoch);
    const next = (await other.takePrompt(id))!;
    const event = { type: 'prompt-end', label: '1', turn: 1, prompt: next.id, outcome: 'answered' } as const;
    const start = { type: 'turn-start', label: '1', turn: 1, prompt: 'x' } as const;
    for (const write of [
      async () => log.append(start),
      async () => log.record!({ kind: 'held', text: 'x' }),
      () => store.append(id, event, stalled.epoch),
      () => store.endPrompt(stalled, 'answered'),
      () => store.closePrompt({ ...stalled, outcome: 'answered' }),
    ])
      await expect(write()).rejects.toThrow(FencedError);
    expect(await store.readEnd(id)).toBe(0);
    expect(await store.readPrompt(next.id)).toMatchObject({ state: 'working' });
    expect(await store.append(id, event)).toBe(1);
    await other.endPrompt(next, 'answered');
  });

  it('takes back what waits, and marks what runs', async () => {
    const { store, id } = await open();
    const [first, second] = [await store.addPrompt(id, { text: 'one' }), await store.addPrompt(id, { text: 'two' })];
    await store.takePrompt(id);
    expect(await store.requestCancel(id)).toBe(2);
    expect([await store.isCancelled(first.id), await store.isCancelled(second.id)]).toEqual([true, false]);
    expect(await store.readPrompt(second.id)).toMatchObject({ state: 'done', outcome: 'aborted' });
  });

  it('has questions until somebody replies or nobody waits, and takes one reply', async () => {
    const { store, openAgain, id } = await open();
    const ask = (name: string): Question => ({
      id: name,
      type: 'question',
      space: 'a',
      tool: 'b',
      text: HOSTILE,
      fields: {},
    });
    for (const name of ['q1', 'q2']) await store.addQuestion(id, ask(name));
    expect(await store.listQuestions(id)).toEqual([ask('q1'), ask('q2')]);
    const other = await openAgain();
    const replies = await Promise.all([store, other].map((one) => one.addReply('q1', { answers: { a: 1 } }, 'ada')));
    expect(replies.filter(Boolean)).toHaveLength(1);
    await store.addPrompt(id, { text: 'one' });
    const old = (await store.takePrompt(id))!;
    const prompt = (await store.takePrompt(id))!;
    // Whoever has the session now may be waiting for the reply.
    await expect(store.closeQuestion('q2', old)).rejects.toThrow(FencedError);
    expect(await store.listOpenQuestions(id)).toEqual([ask('q1'), ask('q2')]);
    await store.closeQuestion('q2', prompt);
    expect(await store.listOpenQuestions(id)).toEqual([ask('q1')]);
    expect(await other.addReply('q2', { answers: null }, 'ada')).toBe(false);
    expect(await other.readQuestion('q1')).toEqual({
      question: ask('q1'),
      session: id,
      reply: { answers: { a: 1 } },
      isClosed: false,
    });
    expect(await store.listQuestions(id)).toEqual([]);
  });

  it('remembers for a session the earlier ones of its token in its workspace, and no others', async () => {
    const { store } = await open();
    const shop = { type: 'folder', name: 'shop' } as const;
    const said = async (owner: string, workspace: NewServedSession['workspace'], prompt: string): Promise<Session> => {
      const session = await store.createSession({ ...NEW, owner, workspace });
      const { epoch } = (await store.addPrompt(session.id, { text: prompt }), (await store.takePrompt(session.id))!);
      await (await store.openLog(session.id, epoch)).log.append({ type: 'turn-start', label: '1', turn: 1, prompt });
      return session;
    };
    await said('ada', shop, 'mine in the shop');
    await said('ada', { type: 'folder', name: 'other' }, 'mine elsewhere');
    await said('bob', shop, 'of bob in the shop');
    const last = await said('ada', shop, 'mine again');
    const { store: memory, cwd } = store.openMemory(last);
    const found = await memory.search('', { cwd });
    expect(found.map(({ content }) => content)).toEqual(['mine again', 'mine in the shop']);
    expect((await memory.sessions(9, cwd)).map(({ prompt }) => prompt)).toEqual(['mine again', 'mine in the shop']);
  });

  it('has tokens, what they have used, and the audit', async () => {
    const { store, openAgain, id } = await open();
    const rights = { may: ['read'], spaces: ['*'], folders: [], sessionsOf: [], budget: {} } as const;
    const { token } = makeToken({ name: 'ada', created: new Date(5), expires: new Date(9), ...rights });
    await store.addToken(token);
    await expect(store.addToken({ ...token, id: 'other' })).rejects.toThrow();
    expect(await store.findToken(token.id)).toMatchObject({ name: 'ada', hash: token.hash, expires: new Date(9) });
    expect((await store.findToken(token.id))!.used).toBe(undefined);
    await store.noteTokenUse(token.id, new Date(6));
    expect((await store.listTokens())[0]).toMatchObject({ used: new Date(6) });
    expect(await store.revokeToken('ada', new Date(7))).toBe(true);
    expect(await store.revokeToken('ada', new Date(8))).toBe(false);
    expect((await store.listTokens())[0]).toMatchObject({ revoked: new Date(7) });
    const other = await openAgain();
    const spending = { tokens: 1, dollars: 0.25, minutes: 0.5, calls: 1 };
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other).addSpending(id, spending)));
    const sum = { tokens: 20, dollars: 5, minutes: 10, calls: 20 };
    expect(await store.readSpending(id)).toEqual({ session: sum, token: sum });
    for (const what of ['one', HOSTILE]) await store.addAudit({ time: new Date(3), by: 'ada', what, session: id });
    expect((await store.readAudit(1))[0]).toEqual({ time: new Date(3), by: 'ada', what: HOSTILE, session: id });
    await store.check();
  });
});
