import { describe, expect, it } from 'vitest';
import { temporaryStore } from '../test/temporary-store.ts';
import { Store } from './store.ts';

describe('the results of a session', () => {
  it('are kept whole under numbers that go on after a restart', () => {
    const store = temporaryStore();
    const id = store.createSession();
    const results = store.results(id);
    const long = 'x'.repeat(1_000_000);
    expect([results.keep('a'), results.keep(''), results.keep(long)]).toEqual(['result:1', 'result:2', 'result:3']);
    const again = Store.open(store.file);
    const resumed = again.results(id);
    expect(resumed.keep('d')).toBe('result:4');
    expect([1, 2, 3, 4].map((number) => resumed.get(`result:${number}`))).toEqual(['a', '', long, 'd']);
    expect(resumed.handles()).toEqual(['result:1', 'result:2', 'result:3', 'result:4']);
    again.close();
  });

  it('are numbered for each session, in order also beyond nine', () => {
    const store = temporaryStore();
    const [first, second] = [store.results(store.createSession()), store.results(store.createSession())];
    const handles = Array.from({ length: 12 }, (_, index) => first.keep(String(index)));
    expect(first.handles()).toEqual(handles);
    expect(second.keep('other')).toBe('result:1');
    expect(first.get('result:1')).toBe('0');
  });

  it.each([
    'result:2',
    'result:0',
    'result:01',
    'result:',
    'result:1:2',
    'RESULT:1',
    '1',
    '',
    "result:1'",
    'result:99999999999999999999',
  ])('are not there for %j', (ref) => {
    const store = temporaryStore();
    const results = store.results(store.createSession());
    results.keep('a');
    expect(results.get(ref)).toBeUndefined();
  });
});
