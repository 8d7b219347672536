import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createInspector } from './inspector.ts';
import { captureIntrinsics } from './intrinsics.ts';

const inspector = createInspector(captureIntrinsics(), (value) =>
  value instanceof Promise ? { state: 'fulfilled', value: 5 } : undefined,
);

class Point {
  x = 1;
  readonly #hidden = 2;
  get sum(): number {
    return this.x + this.#hidden;
  }
}

describe('Inspector', () => {
  it.each<readonly [value: unknown, text: string]>([
    ['text "as" it\'s\n', 'text "as" it\'s\n'],
    [-0, '-0'],
    [0, '0'],
    [NaN, 'NaN'],
    [1n, '1n'],
    [undefined, 'undefined'],
    [Symbol('s'), 'Symbol(s)'],
    [["it's", 'say "x"', 'a\nb\\'], `["it's", 'say "x"', 'a\\nb\\\\']`],
    [[], '[]'],
    [{}, '{}'],
    [[undefined, null, [true]], '[undefined, null, [true]]'],
    [{ a: 1, 'b-c': 'd', 7: { e: [] }, '': 0 }, "{ 7: { e: [] }, a: 1, 'b-c': 'd', '': 0 }"],
    [{ '2b': 4, b2: 5, $1: 6, '1.5': 7 }, "{ '2b': 4, b2: 5, $1: 6, '1.5': 7 }"],
    [{ [Symbol('s')]: 1 }, '{ [Symbol(s)]: 1 }'],
    [new Point(), 'Point { x: 1 }'],
    [Point, '[class Point]'],
    [() => 1, '[function]'],
    [function named() {}, '[function named]'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), 'Invalid Date'],
    [/a+/gi, '/a+/gi'],
    [[new RangeError('bad')], '[[RangeError: bad]]'],
    [new Map([['a', { b: 1 }]]), "Map(1) { 'a' => { b: 1 } }"],
    [new Set([1, 'a']), "Set(2) { 1, 'a' }"],
    [new Uint8Array([1, 2]), 'Uint8Array(2) [1, 2]'],
    [Promise.resolve(5), 'Promise { 5 }'],
    [Object.create(null), '{}'],
    [{ a: { b: { c: { d: { e: { f: 1 } } } } } }, '{ a: { b: { c: { d: { e: [object] } } } } }'],
    [[[[[[[1]]]]]], '[[[[[[array]]]]]]'],
  ])('formats a value as %#', (value, text) => {
    expect(inspector.format(value)).toBe(text);
  });

  it('calls no getter', () => {
    let called = 0;
    const value = {
      get trap() {
        return ++called;
      },
    };
    expect(inspector.format(value)).toBe('{ trap: [getter] }');
    expect(called).toBe(0);
  });

  it('gives long values a line for each part', () => {
    const rows = Array.from({ length: 3 }, (_, index) => ({ name: `a rather long name ${index}`, size: index }));
    expect(inspector.format({ rows, total: 3 })).toBe(
      `{
  rows: [
    { name: 'a rather long name 0', size: 0 },
    { name: 'a rather long name 1', size: 1 },
    { name: 'a rather long name 2', size: 2 }
  ],
  total: 3
}`,
    );
  });

  it('stops after a hundred items, two thousand values and two thousand characters', () => {
    expect(inspector.format(Array.from({ length: 150 }, () => 1))).toMatch(/,\n {2}… 50 more\n\]$/);
    expect(inspector.format(new Set(Array.from({ length: 150 }, (_, index) => index)))).toMatch(
      /^Set\(150\) .*… 50 more/s,
    );
    expect(inspector.format(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, i])))).toMatch(
      /… 50 more/,
    );
    const wide = Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => ({})));
    expect(inspector.format(wide).length).toBeLessThan(40_000);
    expect(inspector.format(['x'.repeat(1e6)]).length).toBeLessThan(2100);
  });

  it('detects a value inside of itself', () => {
    const value: Record<string, unknown> = { a: [] };
    value['self'] = value;
    (value['a'] as unknown[]).push(value);
    expect(inspector.format(value)).toBe('{ a: [[circular]], self: [circular] }');
    const twice = { one: 1 };
    expect(inspector.format([twice, twice])).toBe('[{ one: 1 }, { one: 1 }]');
  });

  it('tolerates a hostile value', () => {
    const refuse = (): never => {
      throw new Error('no');
    };
    const hostile = new Proxy({}, { ownKeys: refuse });
    expect(inspector.format([hostile])).toBe('[[unreadable]]');
    expect(inspector.format({ constructor: { name: 5 }, toString: null })).toMatch(/^\{/);
  });

  it('needs nothing that code may have replaced', () => {
    // In a realm of its own, where the built-in functions can be broken without breaking the test.
    const code = `
      ${String(captureIntrinsics)}\n${String(createInspector)}
      const inspector = createInspector(captureIntrinsics(), () => undefined);
      const value = { list: [1, 'a', new Map([[1, new Set([2])]])], date: new Date(0) };
      const { ownKeys } = Reflect;
      const owners = [Object, Array, Map, Set, Date, String, Symbol, Function, Reflect, JSON, Object.prototype];
      for (let i = 0; i < 8; i++) owners[owners.length] = owners[i].prototype;
      for (let i = 0; i < owners.length; i++)
        for (let k = 0, keys = ownKeys(owners[i]); k < keys.length; k++)
          try { owners[i][keys[k]] = () => { throw 1 } } catch {}
      inspector.format(value)`;
    expect(runInNewContext(code)).toBe(
      "{\n  list: [1, 'a', Map(1) { 1 => Set(1) { 2 } }],\n  date: 1970-01-01T00:00:00.000Z\n}",
    );
  });
});

const refuse = (): never => {
  throw new Error('no');
};

describe('formatError', () => {
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
  ])('formats %o', (error, name, message) => {
    expect(
      [inspector.formatError(error, 'name'), inspector.formatError(error, 'message')].map(
        (json) => JSON.parse(json) as unknown,
      ),
    ).toEqual([name, message]);
  });

  it('tolerates a hostile error', () => {
    const getter = Object.defineProperty({}, 'message', { get: refuse });
    const proxy = new Proxy(new Error('x'), { get: refuse, getOwnPropertyDescriptor: refuse });
    const errors = Object.defineProperty(new Error(''), 'errors', { get: () => [1] });
    for (const error of [getter, proxy, errors]) expect(inspector.formatError(error, 'message')).toBe('""');
    expect([inspector.formatError(proxy, 'name'), inspector.formatError(proxy, 'stack')]).toEqual(['""', '""']);
  });
});
