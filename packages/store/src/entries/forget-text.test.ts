import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sample } from '../../test/sample-events.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openDatabase } from '../open-database.ts';
import { packBody, unpackBody } from '../packed-body.ts';
import { Store } from '../store.ts';

const KEY = Buffer.alloc(32, 1);
const SECRET = 'Hunter2-xyzzy';

/** A store with a text in every place that it can be in. */
function storeWithSecret(key: Uint8Array | undefined = KEY) {
  const file = join(temporaryFolder(), 'bae.db');
  const store = Store.open(file, key && { key });
  const id = store.createSession({ label: SECRET, cwd: `/home/${SECRET}`, meta: { [SECRET]: SECRET } });
  const log = store.log(id);
  log.record({ kind: 'message', message: { role: 'user', text: `The password is ${SECRET}.` } });
  log.append(sample.turnStart(1, `The password is ${SECRET}.`));
  log.append({ ...sample.callStart('1', `<W:a>${SECRET}`), arguments: { text: SECRET } } as never);
  log.append(sample.callEnd('1', `Wrote ${SECRET.toLowerCase()}`));
  log.append(sample.answer('Nothing of it here.'));
  // Long enough to be compressed.
  log.append({ ...sample.callStart('2', '<W:b>'), arguments: { text: `${'long '.repeat(100)}${SECRET}` } } as never);
  log.record({ kind: 'message', message: { role: 'user', text: `${'long '.repeat(100)}${SECRET}` } });
  log.record({ kind: 'message', message: { role: 'assistant', text: 'Kept.' } });
  const ref = store.results(id).keep(`a ${SECRET} b`);
  store.tag(2, { add: [SECRET] });
  // Not in the last place of the file: what is deleted leaves pages behind.
  for (let index = 0; index < 200; index++) log.append(sample.answer(`${index} `.repeat(200)));
  store.close();
  const raw = () => [file, `${file}-wal`].map(readIfThere).map(withUnpacked).join('').toLowerCase();
  return { file, id, ref, raw };
}

/** The bytes of a file, and what is compressed in them. */
function withUnpacked(bytes: string): string {
  const { packed } = packBody(JSON.stringify('x'.repeat(200)));
  const header = Buffer.from(packed!.subarray(0, 6)).toString('latin1');
  const starts = bytes.split(header).slice(1);
  return [bytes, ...starts.map((rest) => unpackBody(Buffer.from(header + rest, 'latin1')))].join('\n');
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

describe('a forgotten text', () => {
  it('is nowhere in the file, and the session is still proven', () => {
    const { file, id, ref, raw } = storeWithSecret();
    expect(raw()).toContain(SECRET.toLowerCase());
    expect(raw()).toContain(`long long ${SECRET}`.toLowerCase());
    expect(Store.forget(file, SECRET, { key: KEY })).toEqual({ events: 4, records: 2, results: 1, left: 0 });
    expect(raw()).not.toContain(SECRET.toLowerCase());
    // The index has words one by one, each without the beginning that it shares with the one before.
    expect(raw()).not.toMatch(/hunter2|xyzzy|unter2/);
    const store = Store.open(file, { key: KEY });
    expect(store.isProven(id)).toBe(true);
    expect(store.sessions()[0]).toMatchObject({ label: '[…]', prompt: 'The password is […].', isOwn: true });
    expect(store.snapshot(id).messages.map(({ text }) => text)).toEqual([
      'The password is […].',
      `${'long '.repeat(100)}[…]`,
      'Kept.',
    ]);
    expect([store.results(id).get(ref), store.results(id).isOwn(ref)]).toEqual(['a […] b', true]);
    const [first, , third] = store.events(id);
    expect(first).toEqual({
      ...sample.turnStart(1, 'The password is […].'),
      forgotten: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    });
    expect(third).toMatchObject({ type: 'call-end', text: 'Wrote […]' });
    expect(store.search('hunter2')).toEqual([]);
    expect(store.search('password')[0]).toMatchObject({ content: 'The password is […].', isOwn: true });
    expect(store.tags().size).toBe(0);
    store.close();
  });

  it('is removed in any case of any alphabet', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const store = Store.open(file, { key: KEY });
    const log = store.log(store.createSession());
    log.append(sample.turnStart(1, 'Straße MÜLLER ПАРОЛЬ'));
    store.tag(1, { add: ['MÜLLER'] });
    store.close();
    for (const text of ['müller', 'STRASSE', 'пароль'])
      expect(Store.forget(file, text, { key: KEY })).toMatchObject({ events: 1 });
    const again = Store.open(file, { key: KEY });
    expect(again.entry(1)?.content).toBe('[…] […] […]');
    expect(again.search('müller')).toEqual([]);
    expect(again.tags().size).toBe(0);
    again.close();
    expect(readIfThere(file)).not.toMatch(/RASSE|M\u00c3\u009cLLER/);
  });

  it('leaves what was signed with the key of a former folder signed with it', () => {
    const { file, id, ref } = storeWithSecret();
    const [old, now] = [KEY, Buffer.alloc(32, 2)];
    const keys = { key: now, keyOf: () => old };
    expect(Store.forget(file, 'Hunter2-x', keys)).toMatchObject({ left: 0 });
    const store = Store.open(file, keys);
    expect([store.entry(1)?.isOwn, store.sessions()[0]?.isOwn, store.keptResult(id, ref)]).toEqual([
      true,
      true,
      'a […]yzzy b',
    ]);
    expect(store.search('password')[0]).toMatchObject({ isOwn: true });
    expect(store.isProven(id)).toBe(false);
    store.close();
    const alone = Store.open(file, { key: now });
    expect([alone.entry(1)?.isOwn, alone.keptResult(id, ref)]).toEqual([false, undefined]);
    alone.close();
  });

  it('is said to be left where only a name of the format has it', () => {
    const { file } = storeWithSecret();
    expect(Store.forget(file, 'call-start', { key: KEY }).left).toBe(2);
  });

  it('leaves hash after hash when more is forgotten', () => {
    const { file, id } = storeWithSecret();
    Store.forget(file, SECRET, { key: KEY });
    Store.forget(file, 'password', { key: KEY });
    const store = Store.open(file, { key: KEY });
    expect(store.events(id)[0]).toMatchObject({
      prompt: 'The […] is […].',
      forgotten: [expect.anything(), expect.anything()],
    });
    expect(store.isProven(id)).toBe(true);
    store.close();
  });

  it("makes nothing one's own that was not", () => {
    const { file, id } = storeWithSecret(Buffer.alloc(32, 2));
    Store.forget(file, SECRET, { key: KEY });
    const store = Store.open(file, { key: KEY });
    expect([store.isProven(id), store.entry(1)?.isOwn, store.sessions()[0]?.isOwn]).toEqual([false, false, false]);
    store.close();
  });

  it('is gone from the log of writes, too, while another process has the file open', () => {
    const { file, raw } = storeWithSecret();
    const other = openDatabase(file);
    other.get('SELECT count(*) FROM events');
    Store.forget(file, SECRET, { key: KEY });
    expect(raw()).not.toContain(SECRET.toLowerCase());
    other.close();
  });

  it('has at least four characters', () => {
    const { file } = storeWithSecret();
    expect(() => Store.forget(file, 'abc', { key: KEY })).toThrow('forget: expected at least 4 characters; got "abc".');
  });
});
