import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { bench, sharedBench } from '../../test/bench-of-blocks.ts';
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

const table = sharedBench();

describe('console', () => {
  it.each([
    ['console.log("a", { b: 1 }, [2])', 'a { b: 1 } [2]'],
    ['console.table([1]); console.warn(); console.error(null)', '[1]\n\nnull'],
    [
      'console.group("one"); console.log("a\\nb"); console.groupCollapsed(); console.log(1); console.groupEnd(); console.log(2); console.groupEnd(); console.groupEnd(); console.log(3)',
      'one\n  a\n  b\n    1\n  2\n3',
    ],
    [
      'console.assert(1 === 1, "no"); console.assert(1 === 2, "yes", { a: 2 }); console.assert()',
      'Assertion failed: yes { a: 2 }\nAssertion failed',
    ],
    ['console.timeEnd("never"); console.timeLog()', 'never: was never begun\ndefault: was never begun'],
    [
      'console.count(); console.count(); console.count("toString"); console.countReset(); console.count()',
      'default: 1\ndefault: 2\ntoString: 1\ndefault: 1',
    ],
    ['console.timeEnd("toString")', 'toString: was never begun'],
  ])('%s prints %s', async (code, output) => {
    expect(await table.run(code)).toBe(output);
  });

  it('prints the time between two lines, by the clock of the language', async () => {
    expect(
      await table.run('console.time("t"); console.timeLog("t", "so far"); console.timeEnd("t"); console.timeEnd("t")'),
    ).toMatch(/^t: \d+ ms so far\nt: \d+ ms\nt: was never begun$/);
    expect(await table.run('Date.now = () => 5; console.time(); Date.now = () => 7; console.timeEnd()')).toMatch(
      /^default: \d+ ms$/,
    );
  });

  it('begins every block outside of any group', async () => {
    const { run } = bench();
    await run('console.group("a"); throw 1');
    expect(await run('console.log("after")')).toBe('after');
  });

  it('prints whatever code has done to the language, and indents only so far', async () => {
    const { run } = bench();
    await run(
      'String = Array.prototype.push = String.prototype.slice = () => 0; Array.prototype[Symbol.iterator] = () => 0',
    );
    expect(await run('console.log("a", [1]); console.assert(false, "b", 2)')).toBe('a [1]\nAssertion failed: b 2');
    expect(await run('for (let i = 0; i < 1e4; i++) console.group()\nconsole.log("in")')).toBe(`${' '.repeat(40)}in`);
  });
});
