import type { AgentEvent } from '@bae/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sample } from '../test/sample-events.ts';
import { temporaryStore } from '../test/temporary-store.ts';
import { toStorable } from './entries/search-text.ts';

/** Texts that have broken one program or another. */
const NAUGHTY: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  "'",
  '"',
  '`',
  "''",
  "'; DROP TABLE events; --",
  "' OR 1=1 --",
  '/* comment',
  '?',
  '?1 :a @b $c',
  '%',
  '_',
  '\\',
  '\\\\"',
  '%s%n%d',
  'AND',
  'OR NOT NEAR',
  'NEAR(a b, 3)',
  '"unclosed',
  '"a" "b',
  'a* b* *',
  '^start',
  'col:value',
  '{a b}:c',
  '-minus +plus',
  '()',
  ')(',
  '\ud800',
  '\udc00',
  'x\udfff\ud800y',
  '\ud83d',
  '😀',
  '👩‍👩‍👧‍👦 🇩🇪',
  'é vs e\u0301',
  'Iİıi ſß',
  '\u202eright to left\u202c',
  '\ufeffbom',
  '\ufffe\uffff',
  '\ufffd',
  '\u{10ffff}',
  '\u2028\u2029',
  '\r\n\r\n\t\v\f\b',
  '\u001b[31mred\u001b[0m',
  '\u007f\u0080\u009f',
  'null',
  'undefined',
  '1e999',
  '-0',
  '{"type":"answer"}',
  '__proto__',
  '<R:a>\n[end 9f2c41d07ab3e685]',
  'x'.repeat(1_000_000),
  '😀'.repeat(300_000),
  '\0'.repeat(100_000),
  '\ud800'.repeat(100_000),
  '"'.repeat(100_000),
  '% '.repeat(100_000),
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...NAUGHTY.slice(0, 50)), { maxLength: 4 }).map((parts) => parts.join(' ')),
  },
);

/** Every kind of place a text can be in. */
function eventsOf(one: string): readonly AgentEvent[] {
  const call = { ...sample.callStart('1', one), arguments: { arg: one, [one]: [one, { [`${one}!`]: one }] } };
  return [sample.turnStart(1, one), call, sample.callEnd('1', one, { tag: one })];
}

describe('any text', () => {
  it.each(NAUGHTY.map((one) => [one.slice(0, 20), one] as const))('comes back exactly: %j', (_start, one) => {
    const store = temporaryStore();
    const id = store.createSession({ label: one.slice(0, 50), cwd: one.slice(0, 50), meta: { [one]: one } });
    const events = eventsOf(one);
    for (const event of events) store.log(id).append(event);
    store.log(id).record({ kind: 'message', message: { role: 'user', text: one } });
    store.log(id).record({ kind: 'held', text: one });
    store.log(id).record({ kind: 'seen', key: one, value: one });
    store.log(id).record({ kind: 'location', location: [one], history: [[one]] });
    const ref = store.results(id).keep(one);
    expect(store.events(id)).toEqual(events);
    expect(store.results(id).get(ref) === one).toBe(true);
    const { messages, held, seen, location, history } = store.snapshot(id);
    expect(
      [messages[0]?.text, held[0], seen.get(one), location[0], history[0]?.[0]].every((back) => back === one),
    ).toBe(true);
    expect(store.sessions()[0]?.meta).toEqual({ [one]: one });
    expect(store.search(one).length).toBeLessThanOrEqual(2);
  });

  const comesBack = (times: number) => {
    const store = temporaryStore();
    const id = store.createSession();
    const [log, results] = [store.log(id), store.results(id)];
    const all: string[] = [];
    const property = fc.property(text, (one) => {
      all.push(one);
      log.append(sample.callEnd(String(all.length), one));
      expect(results.get(results.keep(one)) === one).toBe(true);
    });
    fc.assert(property, { numRuns: times, endOnFailure: true });
    const back = store.events(id).map((event) => (event.type === 'call-end' ? event.text : undefined));
    expect(all.length).toBeGreaterThanOrEqual(times);
    expect(back.length).toBe(all.length);
    expect(back.findIndex((one, index) => one !== all[index])).toBe(-1);
  };

  it('comes back exactly, 200 times', () => comesBack(200));
  it('comes back exactly, 10,000 times', { tags: ['long'] }, () => comesBack(10_000));

  const isFound = (times: number) => {
    const store = temporaryStore();
    const log = store.log(store.createSession());
    for (const one of NAUGHTY.filter(({ length }) => length < 100)) log.append(sample.answer(one));
    log.append(sample.answer('a needle in here'));
    const property = fc.property(text, (one) => {
      expect(store.search(one).length).toBeLessThanOrEqual(20);
      // Whatever is asked for besides can only narrow it down.
      const both = store.search(`${one} needle`, { limit: 100 });
      expect(both.every(({ content }) => content.includes('needle'))).toBe(true);
    });
    fc.assert(property, { numRuns: times });
  };

  it('can be searched for, 200 times, and is found when it is there', () => isFound(200));
  it('can be searched for, 10,000 times, and is found when it is there', { tags: ['long'] }, () => isFound(10_000));

  const findsItself = (times: number) => {
    const store = temporaryStore();
    const log = store.log(store.createSession());
    const property = fc.property(
      text.filter((one) => one.trim() !== ''),
      (one) => {
        log.append(sample.answer(`${one}\n`));
        const found = store.search(one, { limit: 5000 }).map(({ content }) => content);
        expect(found).toContain(toStorable(`${one}\n`));
      },
    );
    fc.assert(property, { numRuns: times });
  };

  it('finds itself, 100 times', () => findsItself(100));
  it('finds itself, 1,000 times', { tags: ['long'] }, () => findsItself(1000));

  it.each(NAUGHTY.filter((one) => one.length < 100 && /[^\s]/u.test(one)).map((one) => [one]))(
    'finds itself: %j',
    (one) => {
      const store = temporaryStore();
      store.log(store.createSession()).append(sample.answer(one));
      expect(store.search(one)).toHaveLength(1);
    },
  );
});
