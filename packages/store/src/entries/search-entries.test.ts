import { describe, expect, it } from 'vitest';
import { sample } from '../../test/sample-events.ts';
import { temporaryStore } from '../../test/temporary-store.ts';
import { openDatabase } from '../open-database.ts';
import type { Store } from '../store.ts';

const PROMPTS = [
  'Fix the login of the admin page',
  'Write a quick-note about C++ and C#',
  'Der Käufer zahlt 100% in São Paulo',
  '日本語のテキストを検索する',
  'say "hello" AND wave 😀',
  'snake_case and a\\b',
];

function searched(prompts: readonly string[] = PROMPTS): Store {
  const store = temporaryStore();
  const log = store.log(store.createSession());
  for (const [index, prompt] of prompts.entries()) log.append(sample.turnStart(index + 1, prompt));
  return store;
}

const found = (store: Store, text: string) => store.search(text).map(({ content }) => PROMPTS.indexOf(content));

describe('search', () => {
  it.each([
    ['login', [0]],
    ['LOGIN admin', [0]],
    ['admin login', [0]],
    ['adm', [0]],
    ['adm login', []],
    ['quick-note', [1]],
    ['quick', [1]],
    ['C++', [1]],
    ['c#', [1]],
    ['kaufer', [2]],
    ['100%', [2]],
    ['%', [2]],
    ['são', [2]],
    ['検索', [3]],
    ['hello AND', [4]],
    ['"hello"', [4]],
    ['"', [4]],
    ['😀', [4]],
    ['_', [5]],
    ['\\', [5]],
    ['snake_case', [5]],
    ['nowhere', []],
    ['login nowhere', []],
    ['NOT login', []],
    ['content:login', []],
    ['login*', [0]],
  ])('finds %j', (text, indexes) => {
    expect(found(searched(), text)).toEqual(indexes);
  });

  it('gives plain objects with all there is to know', () => {
    const store = searched([]);
    const id = store.createSession();
    store.log(id).append(sample.callEnd('7', 'an answer'));
    const entries = store.search('answer');
    expect(entries).toStrictEqual([
      {
        id: 1,
        session: id,
        time: new Date('2026-11-20T10:00:03Z'),
        channel: 'tool',
        direction: 'output',
        content: '<R:a>\nan answer',
        meta: { id: '7', ok: true, space: 'tasks' },
      },
    ]);
    expect(Object.getPrototypeOf(entries[0])).toBe(Object.prototype);
  });

  it('puts what is most about it first, and among equals the newest', () => {
    const store = searched(['one apple in a long, long text about pears', 'apple apple', 'a kiwi', 'b kiwi']);
    expect(store.search('apple').map(({ content }) => content.slice(0, 5))).toEqual(['apple', 'one a']);
    expect(store.search('kiwi').map(({ content }) => content)).toEqual(['b kiwi', 'a kiwi']);
  });

  it('gives the latest for a text without words', () => {
    const store = searched();
    expect(found(store, ' ')).toEqual([5, 4, 3, 2, 1, 0]);
    expect(store.search('', { limit: 2 })).toHaveLength(2);
    expect(searched(Array.from({ length: 30 }, () => 'x')).search('')).toHaveLength(20);
  });

  it('searches one session when it is given', () => {
    const store = searched();
    const other = store.createSession();
    store.log(other).append(sample.turnStart(1, 'login'));
    expect(store.search('login')).toHaveLength(2);
    expect(store.search('login', { session: other }).map(({ session }) => session)).toEqual([other]);
    expect(store.search('lo', { session: other })).toHaveLength(1);
    expect(store.search('', { session: 'nope' })).toEqual([]);
  });

  it('cuts long texts, marks them, and keeps results whole', () => {
    const store = temporaryStore();
    const id = store.createSession();
    const text = `${'x '.repeat(6000)}end`;
    store.log(id).append(sample.answer(text));
    const ref = store.results(id).keep(text);
    expect(store.search('x')[0]).toMatchObject({
      content: text.slice(0, 10_000),
      meta: { truncated: true, original_length: 12_003 },
    });
    expect(store.search('end')).toEqual([]);
    expect(store.events(id)).toEqual([sample.answer(text)]);
    expect(store.results(id).get(ref)).toBe(text);
  });
});

describe('the index of words', () => {
  it('follows a session that is removed, and keeps no second copy of a text', () => {
    const store = searched(['alpha', 'beta']);
    store.tag(1, { add: ['x'] });
    const database = openDatabase(store.file);
    expect(database.get('SELECT content FROM entry_words')).toEqual({ content: null });
    database.run('DELETE FROM sessions');
    expect([store.search(''), store.search('alpha'), store.tags().size]).toEqual([[], [], 0]);
    expect(database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    database.close();
  });
});

describe('narrower searches', () => {
  it('are of a channel, a time or a tag, and count what they find', () => {
    const store = searched(['login one', 'login two']);
    const id = store.createSession();
    store.log(id).append(sample.callEnd('1', 'login three'));
    expect(store.search('login', { channel: 'tool' }).map(({ content }) => content)).toEqual(['<R:a>\nlogin three']);
    const since = store.search('two')[0]!.time;
    expect(store.search('login', { since })).toHaveLength(2);
    store.tag(1, { add: ['decision', 'auth'] });
    store.tag(1, { add: ['decision'], remove: ['auth'] });
    expect(store.search('login', { tag: 'decision' }).map((entry) => entry.id)).toEqual([1]);
    expect([store.tagsOf(1), [...store.tags()]]).toEqual([['decision'], [['decision', 1]]]);
    expect(store.countMatches('login')).toBe(3);
    expect(store.countMatches('login', { limit: 2 })).toBe(2);
    expect(store.countMatches('', { session: id })).toBe(1);
    expect(store.countMatches('C+')).toBe(undefined);
    expect(store.neighbours(store.entry(1)!)).toEqual({ next: 2 });
  });
});
