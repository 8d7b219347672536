import { describe, expect, it } from 'vitest';
import { createCallPort } from './call-port.ts';
import { captureIntrinsics, type HostFunctions } from './intrinsics.ts';
import type { UnhandledErrors } from './unhandled-errors.ts';

/** A port, what it has asked for, and how to answer. */
function portWith(ask?: (call: number, args: string) => number) {
  const asked: string[] = [];
  const lost: unknown[] = [];
  const host: HostFunctions = {
    print: () => undefined,
    requestCall: ask ?? ((call, args) => asked.push(`${call} ${args}`)),
    formatInLocale: () => '',
    promiseStatus: (value) => (value instanceof Promise ? { state: 'pending' } : undefined),
  };
  // oxlint-disable-next-line typescript/unbound-method -- it is called by way of `apply`
  const { then } = Promise.prototype;
  const add = (error: unknown, call: number): unknown => lost.push([(error as Error).message, call]);
  const port = createCallPort(captureIntrinsics(), host, { patchedThen: then, add } as unknown as UnhandledErrors);
  const fail = (id: number): void => port.settle(id, 'error', '{"name":"PathError","message":"no"}');
  return { port, asked, fail, lost };
}

describe('CallPort', () => {
  it.each<readonly [args: readonly unknown[], written: string]>([
    [[], '{}'],
    [['a', 1, null, [true], { b: 'c' }], '{"0":"a","1":1,"2":null,"3":[true],"4":{"b":"c"}}'],
    [[undefined, 'b', undefined], '{"1":"b"}'],
    [[new Date(0)], '{"0":"1970-01-01T00:00:00.000Z"}'],
    [['\u2028"\ud800\0'], '{"0":"\u2028\\"\\ud800\\u0000"}'],
  ])('writes %j by position', (args, written) => {
    const { port, asked } = portWith();
    void port.request(3, args);
    expect(asked).toEqual([`3 ${written}`]);
  });

  it.each<readonly [value: unknown, message: string]>([
    [Promise.resolve(), 'argument 2 is a promise: put await before it'],
    [() => 1, 'argument 2 is a function, which no tool takes'],
    [Symbol('s'), 'argument 2 is a symbol, which no tool takes'],
    [1n, 'argument 2 is a bigint, which no tool takes: use Number(…)'],
    [[{ rows: [1n] }], '0 in argument 2 is a bigint, which no tool takes: use Number(…)'],
    [{ done: Promise.resolve() }, 'done in argument 2 is a promise: put await before it'],
    [[{ rows: [1, Promise.resolve()] }], '1 in argument 2 is a promise: put await before it'],
  ])('refuses what is no data', async (value, message) => {
    const { port, asked, lost } = portWith();
    await expect(port.request(1, ['a', value])).rejects.toThrow(message);
    expect(asked).toEqual([]);
    expect(lost).toEqual([[expect.stringContaining(message), 0]]);
  });

  it('gives each call its own result, in whatever order they come, once', async () => {
    const { port, fail } = portWith();
    const calls = [port.request(1, []), port.request(1, []), port.request(1, [])];
    port.settle(3, 'json', '"three"');
    port.settle(1, 'json', '{"one":1}');
    fail(2);
    port.settle(1, 'json', '"again"');
    port.settle(9, 'json', '"never asked"');
    expect(await Promise.allSettled(calls)).toMatchObject([
      { value: { one: 1 } },
      { reason: { name: 'PathError', message: 'no' } },
      { value: 'three' },
    ]);
  });

  it('makes errors that look like those of code, from where the call was made', async () => {
    const { port, fail } = portWith();
    const call = (function readSomething() {
      return port.request(1, []);
    })();
    fail(1);
    const error = await call.catch((one: Error) => one);
    expect(error).toBeInstanceOf(Error);
    expect(Object.keys(error as Error)).toEqual([]);
    expect((error as Error).stack).toContain('readSomething');
  });

  it('reports which call has failed with what', async () => {
    const { port, fail, lost } = portWith();
    const calls = [port.request(1, []), port.request(1, [])];
    port.settle(1, 'text', 'well');
    fail(2);
    await Promise.allSettled(calls);
    expect(lost).toEqual([['no', 2]]);
  });

  it('forgets calls that will have no result', async () => {
    const { port } = portWith();
    const call = port.request(1, []);
    port.forget();
    port.settle(1, 'json', '"late"');
    expect(await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 5, 'nothing'))])).toBe('nothing');
  });

  it('passes on that there are too many', async () => {
    const { port } = portWith(() => {
      throw new RangeError('too many');
    });
    await expect(port.request(1, [])).rejects.toThrow('too many');
  });

  it('returns promises that pass for plain ones, and whose functions cannot be replaced', async () => {
    const { port } = portWith();
    const answer = port.request(1, []);
    const own: unknown = Object.getPrototypeOf(answer);
    expect(answer).toBeInstanceOf(Promise);
    expect(answer.constructor).toBe(Promise);
    expect(Object.isFrozen(own)).toBe(true);
    expect(Reflect.ownKeys(own as object)).toEqual(['constructor', 'then']);
    expect(answer.then(() => 1).constructor).toBe(Promise);
  });

  it('can be settled again when there was no room for the first result', async () => {
    const { port, fail, lost } = portWith();
    const answer = port.request(1, []);
    expect(() => port.settle(1, 'json', '{ no data')).toThrow(SyntaxError);
    fail(1);
    await expect(answer).rejects.toThrow('no');
    expect(lost).toEqual([['no', 1]]);
  });

  it('fails with an error of the engine when there is no room for that of the tool', async () => {
    const { port } = portWith();
    const answer = port.request(1, []);
    port.settle(1, 'error', '{ no error');
    await expect(answer).rejects.toThrow(SyntaxError);
  });
});
