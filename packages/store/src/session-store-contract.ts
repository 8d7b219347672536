// Public API for tests: the requirements of every store of sessions.
import assert from 'node:assert/strict';
import type { AgentEvent } from '@bae/core';
import type { SessionStore } from './session-store.ts';

/** Opens another store on the same sessions. Default: without a key. */
export type OpenSessions = (options?: { readonly key?: Uint8Array }) => Promise<SessionStore>;

/** One requirement of a store; `run` rejects when it is not met. */
export interface StoreCase {
  readonly title: string;
  /** `open` opens stores on sessions that nothing else uses. */
  readonly run: (open: OpenSessions) => Promise<void>;
}

const KEY = new Uint8Array(32).fill(7);

const turn = (number: number, prompt: string): AgentEvent => ({
  label: '1',
  turn: number,
  type: 'turn-start',
  prompt,
});
const call = (id: string) => ({ label: '1', turn: 1, id, tag: `<R:${id}>`, verb: 'read', space: 'home' });
const start = (id: string): AgentEvent => ({ ...call(id), type: 'call-start', arguments: {} });
const end = (id: string, text: string): AgentEvent => {
  return { ...call(id), type: 'call-end', ok: true, summary: 'read', ms: 1, text };
};
const message = (role: 'user' | 'assistant', text: string) => ({ kind: 'message', message: { role, text } }) as const;

/** All requirements of a `SessionStore`, to be run with each kind of store. */
export const SESSION_STORE_CONTRACT: readonly StoreCase[] = [
  {
    title: 'lists sessions, newest first, with how much happened in them',
    async run(open) {
      const store = await open();
      const first = await store.createSession({ label: 'work', cwd: '/home/ada', meta: { model: 'x' } });
      const second = await store.createSession();
      const { log } = await store.openSession(first);
      for (const event of [turn(1, ' Why is\n it\0 red?'), start('1'), end('1', 'text')]) await log.append(event);
      await log.record!(message('user', 'x'));
      const [newest, oldest, ...more] = await store.sessions();
      assert.deepEqual([newest?.id, oldest?.id, more.length], [second, first, 0]);
      const { started, id, label, cwd, meta, turns, messages, calls, prompt } = oldest!;
      assert.ok(Math.abs(started.getTime() - Date.now()) < 3_600_000);
      assert.deepEqual([id, label, cwd, meta], [first, 'work', '/home/ada', { model: 'x' }]);
      assert.deepEqual([turns, messages, calls, prompt], [1, 1, 1, 'Why is it\ufffd red?']);
      assert.equal((await store.sessions(1)).length, 1);
    },
  },
  {
    title: 'returns events after a place, in one sequence without gaps with what else is kept',
    async run(open) {
      const store = await open();
      const id = await store.createSession();
      const { log } = await store.openSession(id);
      assert.equal(await store.append(id, turn(1, 'a')), 1);
      await log.record!(message('user', 'a'));
      assert.equal(await store.append(id, { type: 'of a server' }), 3);
      assert.equal(await store.endOf(id), 3);
      const events = await store.eventsAfter(id, 0, 100);
      assert.deepEqual(
        events.map(({ seq, event }) => [seq, event.type]),
        [
          [1, 'turn-start'],
          [3, 'of a server'],
        ],
      );
      assert.ok(events[0]!.time instanceof Date);
      assert.deepEqual((await store.eventsAfter(id, 0, 1)).length, 1);
      assert.deepEqual(await store.eventsAfter(id, 3, 100), []);
    },
  },
  {
    title: 'gives every event a place of its own when many are written at once',
    async run(open) {
      const [one, other] = [await open(), await open()];
      const id = await one.createSession();
      const places = await Promise.all(
        Array.from({ length: 40 }, async (_, n) => (n % 2 ? one : other).append(id, turn(n, `${n}`))),
      );
      const expected = Array.from({ length: 40 }, (_, n) => n + 1);
      assert.deepEqual(
        places.toSorted((a, b) => a - b),
        expected,
      );
      assert.deepEqual(
        (await other.eventsAfter(id, 0, 100)).map(({ seq }) => seq),
        expected,
      );
    },
  },
  {
    title: 'refuses every write of an earlier epoch, and stores nothing of it',
    async run(open) {
      const [first, second] = [await open(), await open()];
      const id = await first.createSession();
      const epoch = await first.takeOver(id);
      const old = await first.openSession(id, epoch);
      await old.log.append(turn(1, 'by the first'));
      const next = await second.takeOver(id);
      assert.ok(next > epoch);
      const fenced = { name: 'FencedError', code: 'BAE_FENCED' };
      await assert.rejects(async () => old.log.append(start('1')), fenced);
      await assert.rejects(async () => old.log.record!(message('user', 'late')), fenced);
      await assert.rejects(async () => first.append(id, start('1'), epoch), fenced);
      await assert.rejects(async () => {
        old.results.keep('late');
        // Data that a store keeps in memory until the next event is refused along with it.
        await old.log.append(start('1'));
      }, fenced);
      const { log, results } = await second.openSession(id, next);
      assert.deepEqual(results.handles!(), []);
      await log.append(start('2'));
      assert.equal(await first.append(id, { type: 'of a server' }), 3, 'who holds no epoch writes on');
      const events = await second.eventsAfter(id, 0, 100);
      assert.deepEqual(
        events.map(({ seq, epoch: by, event }) => [seq, by, event.type]),
        [
          [1, epoch, 'turn-start'],
          [2, next, 'call-start'],
          [3, undefined, 'of a server'],
        ],
      );
    },
  },
  {
    title: 'lets one of many that take over at once go on',
    async run(open) {
      const store = await open();
      const id = await store.createSession();
      const epochs = await Promise.all(Array.from({ length: 10 }, async () => store.takeOver(id)));
      assert.equal(new Set(epochs).size, 10);
      const tries = await Promise.allSettled(epochs.map(async (epoch) => store.append(id, start('1'), epoch)));
      const written = tries.flatMap(({ status }, index) => (status === 'fulfilled' ? [epochs[index]] : []));
      assert.deepEqual(written, [Math.max(...epochs)]);
    },
  },
  {
    title: 'resumes a session with the calls that had begun, and those whose results were not sent',
    async run(open) {
      const store = await open();
      const id = await store.createSession({ label: 'work' });
      const { log, results, resume } = await store.openSession(id);
      assert.equal(resume, undefined);
      await log.append(turn(1, 'go'));
      await log.record!(message('user', 'go'));
      await log.record!({ kind: 'location', location: ['tasks'], history: [[]] });
      await log.record!({ kind: 'seen', key: 'a', value: 'b' });
      await log.record!(message('assistant', '<R:1>'));
      for (const event of [start('1'), end('1', 'one'), start('2')]) await log.append(event);
      assert.equal(results.keep('whole'), 'result:1');
      await log.record!({ kind: 'seen', key: 'c', value: 'd' });
      const snapshot = (await (await open()).openSession(id)).resume!;
      assert.deepEqual(
        snapshot.messages.map(({ text }) => text),
        ['go', '<R:1>'],
      );
      assert.deepEqual(snapshot.unfinished, [{ id: '2', tag: '<R:2>', space: 'home', verb: 'read' }]);
      assert.deepEqual(snapshot.unsent, [{ tag: '<R:1>', space: 'home', status: 'ok', text: 'one' }]);
      assert.deepEqual(
        [...snapshot.seen],
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      );
      const { label, turn: number, lastId, location } = snapshot;
      assert.deepEqual([label, number, lastId, location], ['work', 1, 2, ['tasks']]);
      await log.record!(message('user', 'reported'));
      const later = (await store.openSession(id)).resume!;
      assert.deepEqual([later.unfinished, later.unsent, later.isBroken], [[], [], true]);
      const totals = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, sends: 1, calls: 2, runs: 0, ms: 1 };
      await log.append({ label: 'work', turn: 1, type: 'turn-end', outcome: 'failed', totals });
      assert.equal((await store.openSession(id)).resume!.isBroken ?? false, false);
    },
  },
  {
    title: 'keeps any text exactly, and continues the numbering of results',
    async run(open) {
      const texts = ['plain', 'a\0b', '\ud800 half', '😀'.repeat(9000), '"\\\n', ''];
      const store = await open();
      const id = await store.createSession({ label: 'a\0b' });
      const { log, results } = await store.openSession(id);
      for (const text of texts) {
        results.keep(text);
        await log.append(end('1', text));
        await log.record!(message('user', text));
      }
      const again = await (await open()).openSession(id);
      assert.deepEqual(
        again.results.handles!().map((handle) => again.results.get(handle)),
        texts,
      );
      assert.equal(again.results.keep('next'), `result:${texts.length + 1}`);
      assert.equal(again.results.get('result:99'), undefined);
      const events = await store.eventsAfter(id, 0, 100);
      assert.deepEqual(
        events.map(({ event }) => (event as { text?: string }).text),
        texts,
      );
      assert.deepEqual(
        again.resume!.messages.map(({ text }) => text),
        texts,
      );
    },
  },
  {
    title: 'treats data written without its key as foreign',
    async run(open) {
      const [own, stranger] = [await open({ key: KEY }), await open()];
      const id = await own.createSession();
      const { log } = await own.openSession(id);
      await log.record!({ kind: 'message', message: { role: 'system', text: 'rules' } });
      await log.record!(message('user', 'a'));
      assert.equal(await own.isProven(id), true);
      assert.equal(await stranger.isProven(id), undefined);
      assert.equal((await own.openSession(id)).resume!.messages.length, 2);
      await (
        await stranger.openSession(id)
      ).log.record!(message('user', 'forged'));
      assert.equal(await own.isProven(id), false);
      const { resume } = await own.openSession(id);
      assert.deepEqual(
        resume!.messages.map(({ role }) => role),
        ['user', 'user'],
        'nothing of the system',
      );
    },
  },
  {
    title: 'finds prompts, answers and outputs by all their words, without case and accents',
    async run(open) {
      const store = await open();
      const [id, other] = [await store.createSession(), await store.createSession()];
      await store.append(id, turn(1, 'Where is the Café of Ada?'));
      await store.append(id, end('1', 'login fails in src/login-form.ts, with C++ 100%_'));
      await store.append(other, turn(1, 'login is fine'));
      const find = async (text: string, options = {}): Promise<number> => (await store.search(text, options)).length;
      assert.equal(await find('cafe ada'), 1);
      assert.equal(await find('ada nobody'), 0);
      assert.equal(await find('logi'), 2, 'the last word may be a beginning');
      assert.equal(await find('login', { session: other }), 1);
      assert.equal(await find('login-form'), 1);
      assert.equal(await find('C++'), 1);
      assert.equal(await find('0%_'), 1);
      assert.equal(await find('', { limit: 2 }), 2);
      assert.equal(await find(`a' OR 1=1 -- & | ! :* "x" <->`), 0);
      const [entry] = await store.entries(id, { from: 1 });
      assert.deepEqual([entry?.channel, entry?.direction, entry?.session], ['tool', 'output', id]);
      assert.deepEqual(await store.entry(entry!.id), entry);
      assert.deepEqual(
        (await store.sessions()).map(({ entries }) => entries),
        [1, 2],
      );
    },
  },
  {
    title: 'selects entries by folder, channel, day and tag, counts them, and knows what is beside each',
    async run(open) {
      const store = await open();
      const [id, other] = [await store.createSession({ cwd: '/a' }), await store.createSession({ cwd: '/b' })];
      await store.append(id, turn(1, 'Where is the login?'));
      await store.append(id, end('1', 'login is here'));
      await store.append(other, turn(1, 'login is there'));
      const list = async (filter: Parameters<SessionStore['entries']>[0], page = {}): Promise<readonly string[]> =>
        (await store.entries(filter, page)).map(({ content }) => content);
      assert.deepEqual(await list({ cwd: '/b' }), ['login is there']);
      assert.deepEqual(await list({ cwd: '/a', channel: 'tool' }), ['<R:1>\nlogin is here']);
      assert.deepEqual(await list({ since: new Date(Date.now() + 3_600_000) }), []);
      assert.deepEqual(await list({ session: id }, { from: 1, limit: 1 }), ['<R:1>\nlogin is here']);
      const found = await store.search('login', { cwd: '/a' });
      assert.deepEqual(
        found.map(({ session }) => session),
        [id, id],
      );
      assert.deepEqual(
        (await store.search('', { channel: 'ai', limit: 5 })).map(({ content }) => content),
        ['login is there', 'Where is the login?'],
        'the latest first',
      );
      assert.equal(await store.countMatches('login'), 3);
      assert.equal(await store.countMatches('login', { limit: 2 }), 2);
      assert.equal(await store.countMatches('login', { cwd: '/b' }), 1);
      assert.deepEqual(
        (await store.sessions(9, '/a')).map((session) => session.id),
        [id],
      );
      const [first, second] = await store.entries(id);
      assert.deepEqual(await store.neighbours(first!), { next: second!.id });
      assert.deepEqual(await store.neighbours(second!), { previous: first!.id });
      await store.tag(first!.id, { add: ['decision', 'decision', "a'b"] });
      await store.tag(first!.id, { remove: ["a'b", 'none'] });
      assert.deepEqual(await store.tagsOf(first!.id), ['decision']);
      assert.deepEqual([...(await store.tags())], [['decision', 1]]);
      assert.deepEqual([...(await store.tags('/b'))], []);
      assert.deepEqual([...(await store.tags('/a'))], [['decision', 1]]);
      assert.deepEqual(await list({ tag: 'decision' }), ['Where is the login?']);
      assert.deepEqual((await store.search('login', { tag: true })).length, 1);
      assert.deepEqual(await store.tagsOf(999), []);
    },
  },
  {
    title: 'treats sessions, entries and results without its key as foreign',
    async run(open) {
      const [own, stranger] = [await open({ key: KEY }), await open({ key: new Uint8Array(32).fill(8) })];
      const refs: string[] = [];
      for (const store of [own, stranger]) {
        const id = await store.createSession({ cwd: '/a' });
        const { log, results } = await store.openSession(id);
        refs.push(results.keep('whole'));
        await log.append(turn(1, 'hello'));
      }
      const [theirs, mine] = await own.sessions();
      assert.deepEqual([theirs?.isOwn, mine?.isOwn], [false, true]);
      assert.deepEqual(
        (await own.entries({})).map(({ isOwn }) => isOwn),
        [true, false],
      );
      assert.equal((await own.search('hello', { session: mine!.id }))[0]?.isOwn, true);
      assert.equal(await own.keptResult(mine!.id, refs[0]!), 'whole');
      assert.equal(await own.keptResult(theirs!.id, refs[1]!), undefined);
      assert.equal(await own.keptResult(mine!.id, 'result:99'), undefined);
    },
  },
  {
    title: 'lists decisions about calls, newest first',
    async run(open) {
      const store = await open();
      const id = await store.createSession();
      const { log } = await store.openSession(id);
      const write = { space: 'home', tool: 'write', effect: 'write', tag: '<W:a>', target: 'a' } as const;
      for (const allowed of [true, false]) await log.record!({ kind: 'approval', approval: { ...write, allowed } });
      const decided = await store.approvals();
      assert.deepEqual(
        decided.map(({ approval }) => approval.allowed),
        [false, true],
      );
      assert.equal((await store.approvals({ limit: 1, session: id })).length, 1);
      assert.deepEqual(await store.approvals({ session: 'nope' }), []);
    },
  },
  {
    title: 'reports that a session does not exist',
    async run(open) {
      const store = await open();
      const missing = { name: 'StoreError', message: "no session 'nope'." };
      await assert.rejects(async () => store.openSession('nope'), missing);
      await assert.rejects(async () => store.append('nope', turn(1, 'x')), missing);
      await assert.rejects(async () => store.append('nope', turn(1, 'x'), 1), missing);
      await assert.rejects(async () => store.takeOver('nope'), missing);
      await assert.rejects(async () => store.endOf('nope'), missing);
      await assert.rejects(async () => store.eventsAfter('nope', 0, 1), missing);
    },
  },
];
