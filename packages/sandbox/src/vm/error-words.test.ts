import { describe, expect, it } from 'vitest';
import { ErrorWords } from './error-words.ts';
import { Inspector } from './inspector.ts';
import { captureIntrinsics } from './intrinsics.ts';

const own = captureIntrinsics();
const words = new ErrorWords(own, new Inspector(own, () => undefined));
const refuse = (): never => {
  throw new Error('no');
};

describe('ErrorWords', () => {
  it.each<readonly [error: unknown, name: string, message: string]>([
    [new TypeError('bad'), 'TypeError', 'bad'],
    [{ name: 'Own', message: 'text' }, 'Own', 'text'],
    ['text', 'Error', 'text'],
    [{ code: 1 }, 'Error', '{ code: 1 }'],
    [null, 'Error', 'null'],
    [new Error(''), 'Error', ''],
    [new AggregateError([new Error('a'), new TypeError('b')]), 'AggregateError', '[[Error: a], [TypeError: b]]'],
    [new AggregateError([new Error('a')], 'all of them'), 'AggregateError', 'all of them'],
    [Object.assign(new Error(''), { errors: 'none' }), 'Error', ''],
  ])('words %o', (error, name, message) => {
    expect([words.name(error), words.message(error)].map((json) => JSON.parse(json) as unknown)).toEqual([
      name,
      message,
    ]);
  });

  it('bears an error that fights back', () => {
    const getter = Object.defineProperty({}, 'message', { get: refuse });
    const proxy = new Proxy(new Error('x'), { get: refuse, getOwnPropertyDescriptor: refuse });
    const errors = Object.defineProperty(new Error(''), 'errors', { get: () => [1] });
    for (const error of [getter, proxy, errors]) expect(words.message(error)).toBe('""');
    expect([words.name(proxy), words.stack(proxy)]).toEqual(['""', '""']);
  });
});
