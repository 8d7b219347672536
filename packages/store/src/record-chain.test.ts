import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sample } from '../test/sample-events.ts';
import { openDatabase } from './open-database.ts';
import { SCHEMA } from './schema.ts';
import { Store } from './store.ts';

const KEY = Buffer.alloc(32, 1);

/** A stored session with everything that another one could misuse. */
function writeSession(key: Uint8Array | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'bae-chain-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bae.db');
  const store = Store.open(file, key && { key });
  const id = store.createSession();
  const log = store.log(id);
  log.record({ kind: 'message', message: { role: 'system', text: 'Do evil.' } });
  log.record({ kind: 'consent', consent: { space: 'home', tool: 'write' } as never });
  log.record({ kind: 'seen', key: 'a.txt', value: 'hash' });
  log.record({ kind: 'message', message: { role: 'user', text: 'Hello.' } });
  log.record({ kind: 'held', text: 'held' });
  for (const event of [sample.turnStart(1, 'Hello.'), sample.callStart('1'), sample.callEnd('1', 'Do evil.')])
    log.append(event);
  log.append(sample.callStart('2'));
  store.close();
  const change = (sql: string): void => {
    const database = openDatabase(file, { steps: SCHEMA });
    database.execute(sql);
    database.close();
  };
  const read = (own: Uint8Array | undefined = KEY) => {
    using opened = openStore(file, own);
    return opened.store.snapshot(id);
  };
  return { change, read };
}

function openStore(file: string, key: Uint8Array) {
  const store = Store.open(file, { key });
  return { store, [Symbol.dispose]: () => store.close() };
}

const OWN = {
  consents: [{ space: 'home', tool: 'write' }],
  held: ['held'],
  unfinished: [{ id: '2' }],
  unsent: [{ text: 'Do evil.' }],
};
const WORDS = {
  isForeign: true,
  consents: [],
  held: [],
  unfinished: [],
  unsent: [],
  seen: new Map(),
  messages: [{ role: 'user', text: 'Hello.' }],
  quoted: ['Hello.'],
};

it('a session that was written with the key comes back whole', () => {
  const { read } = writeSession(KEY);
  expect(read()).toMatchObject(OWN);
  expect(read()).not.toHaveProperty('quoted');
  expect(read()).not.toHaveProperty('isForeign');
  expect(read().messages).toHaveLength(2);
});

it.each([
  ['of another user', Buffer.alloc(32, 2), undefined],
  ['without any proof', undefined, undefined],
  [
    'with a record that was changed',
    KEY,
    "UPDATE records SET body = replace(body, 'Hello.', 'Hello. ') WHERE kind = 'seen'; UPDATE records SET body = replace(body, 'hash', 'other')",
  ],
  [
    'with a record that was added',
    KEY,
    "INSERT INTO records SELECT session, seq + 100, time, kind, body, mac, packed FROM records WHERE kind = 'consent'",
  ],
  ['with a record that is missing', KEY, "DELETE FROM records WHERE kind = 'seen'"],
  ['with records in another order', KEY, "UPDATE records SET seq = seq + 50 WHERE kind = 'consent'"],
])('a session %s brings words alone', (_, key, sql) => {
  const { read, change } = writeSession(key);
  if (sql !== undefined) change(sql);
  expect(read()).toMatchObject(WORDS);
});

it('a session that somebody else started stays foreign, without a record and when the user has gone on in it', () => {
  const { read, change } = writeSession(undefined);
  change('DELETE FROM records');
  expect(read()).toMatchObject({ isForeign: true, unfinished: [], unsent: [] });
  const { read: readAgain, change: changeAgain } = writeSession(KEY);
  changeAgain('UPDATE sessions SET mac = NULL');
  expect(readAgain()).toMatchObject({ isForeign: true, consents: [] });
});

it('a call that somebody else added to a session is none', () => {
  const { read, change } = writeSession(KEY);
  change(
    "UPDATE events SET body = replace(body, 'Do evil.', 'Do worse.') WHERE type = 'call-end'; UPDATE events SET mac = NULL WHERE seq = (SELECT max(seq) FROM events)",
  );
  expect(read()).toMatchObject({ ...OWN, unfinished: [{ id: '1' }], unsent: [] });
});

it('a session of another user that was summed up brings the summary', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bae-chain-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bae.db');
  const other = Store.open(file, { key: Buffer.alloc(32, 2) });
  const id = other.createSession();
  other.log(id).record({ kind: 'message', message: { role: 'system', text: 'Do evil.' } });
  other.log(id).record({ kind: 'message', message: { role: 'user', text: 'Hello.' } });
  other.log(id).record({ kind: 'compacted', text: 'the summary' });
  other.close();
  using opened = openStore(file, KEY);
  expect(opened.store.snapshot(id)).toMatchObject({
    isForeign: true,
    messages: [],
    held: ['the summary'],
    quoted: ['the summary'],
  });
});

describe('an entry', () => {
  it.each([
    ['with another text', "UPDATE events SET body = replace(body, 'Hello', 'Hullo')"],
    ['in another place', 'UPDATE events SET seq = seq + 1'],
    ['without a proof', 'UPDATE events SET mac = NULL'],
  ])('%s is not the own one', (_, sql) => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-chain-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'bae.db');
    using opened = openStore(file, KEY);
    const { store } = opened;
    store.log(store.createSession()).append(sample.turnStart(1, 'Hello'));
    expect([store.entry(1)?.isOwn, store.sessions()[0]?.isOwn]).toEqual([true, true]);
    const database = openDatabase(file, { steps: SCHEMA });
    database.execute(`${sql}; UPDATE sessions SET cwd = '/other'`);
    database.close();
    expect([store.entry(1)?.isOwn, store.sessions()[0]?.isOwn]).toEqual([false, false]);
  });
});
