import { describe, expect, it } from 'vitest';
import { sample } from '../test/sample-events.ts';
import { temporaryStore } from '../test/temporary-store.ts';
import { openDatabase } from './open-database.ts';
import { parseSearch, toSearchable, toStorable } from './search-entries.ts';
import type { Store } from './store.ts';

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
        mode: 'ai',
        channel: 'tool',
        direction: 'output',
        content: '<R:a>\nan answer',
        meta: { id: '7', ok: true },
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
  it('follows every change of an entry', () => {
    const store = searched(['alpha', 'beta']);
    const database = openDatabase(store.file);
    const count = (word: string) => store.search(word).length;
    database.run("UPDATE entries SET content = 'gamma' WHERE content = 'alpha'");
    expect([count('alpha'), count('beta'), count('gamma')]).toEqual([0, 1, 1]);
    database.run("DELETE FROM entries WHERE content = 'beta'");
    expect([count('beta'), count('gamma')]).toEqual([0, 1]);
    expect(database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    database.run('DELETE FROM sessions');
    expect(store.search('')).toEqual([]);
    expect(count('gamma')).toBe(0);
    database.run("INSERT INTO entry_words (entry_words, rank) VALUES ('integrity-check', 1)");
    database.close();
  });
});

describe('parseSearch', () => {
  it.each([
    ['', '', []],
    ['  \n\t ', '', []],
    ['login', '"login" *', []],
    ['fix login', '"fix" "login" *', []],
    ['quick-note', '"quick-note" *', []],
    ['one AND two', '"one" "AND" "two" *', []],
    ['say "hello there', '"say" """hello" "there" *', []],
    ['NEAR(a b)', '"NEAR(a"', ['%b)%']],
    ['a*', '', ['%a*%']],
    ['C++ code', '"code" *', ['%C++%']],
    ['++ --', '', ['%++%', '%--%']],
    ['100% a_b', '"100%"', [String.raw`%a\_b%`]],
    ['%', '', [String.raw`%\%%`]],
    [String.raw`_\ `, '', [String.raw`%\_\\%`]],
    ['日本語 naïve', '"naïve" *', ['%日本語%']],
    ['日本abc', '', ['%日本abc%']],
    ['ошибка', '"ошибка" *', []],
    ['😀😀😀', '', ['%😀😀😀%']],
    ['×÷×÷', '', ['%×÷×÷%']],
    ['\u{1df00}\u{1df01}\u{1df02}', '', ['%\u{1df00}\u{1df01}\u{1df02}%']],
    ['ab\0c', '"ab\ufffdc" *', []],
    ['abc\ud800', '"abc\ufffd" *', []],
  ])('reads %j', (text, match, patterns) => {
    expect(parseSearch(text)).toEqual({ match, patterns });
  });

  it('has an end', () => {
    const { match, patterns } = parseSearch('word '.repeat(100_000));
    expect(match.split(' ').length).toBeLessThanOrEqual(64);
    expect(patterns).toEqual([]);
    expect(parseSearch('x'.repeat(1_000_000)).match).toBe(`"${'x'.repeat(200)}" *`);
  });
});

describe('toSearchable', () => {
  it('keeps up to 10,000 characters', () => {
    const text = 'x'.repeat(10_000);
    expect(toSearchable(text)).toEqual({ content: text, meta: {} });
  });

  it('cuts what is longer, and keeps its length', () => {
    expect(toSearchable('x'.repeat(10_001))).toEqual({
      content: 'x'.repeat(10_000),
      meta: { truncated: true, original_length: 10_001 },
    });
  });

  it('cuts no character in two', () => {
    const { content } = toSearchable(`x${'😀'.repeat(6000)}`);
    expect(content).toBe(`x${'😀'.repeat(4999)}`);
    expect(toSearchable('😀'.repeat(6000)).content).toBe('😀'.repeat(5000));
  });
});

describe('toStorable', () => {
  it('replaces what SQLite cannot hold', () => {
    expect(toStorable('a\0b\ud800c\udc00 😀')).toBe('a\ufffdb\ufffdc\ufffd 😀');
  });
});
