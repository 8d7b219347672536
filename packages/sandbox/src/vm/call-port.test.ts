import { describe, expect, it } from 'vitest';
import { CallPort } from './call-port.ts';
import { captureIntrinsics } from './intrinsics.ts';

/** A port, what it has asked for, and how to answer. */
function portWith(ask?: (call: number, args: string) => number) {
  const asked: string[] = [];
  const port = new CallPort(captureIntrinsics(), {
    print: () => undefined,
    ask: ask ?? ((call, args) => asked.push(`${call} ${args}`)),
    look: (value) => (value instanceof Promise ? { state: 'pending' } : undefined),
  });
  const fail = (id: number): void => port.settle(id, 'error', '{"name":"PathError","message":"no"}');
  return { port, asked, fail };
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
    [1n, 'Do not know how to serialize a BigInt'],
  ])('refuses what is no data', async (value, message) => {
    const { port, asked } = portWith();
    await expect(port.request(1, ['a', value])).rejects.toThrow(message);
    expect(asked).toEqual([]);
    expect(port.unheard()).toBe('');
  });

  it('gives each call its own answer, in whatever order they come, once', async () => {
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

  it('knows which failures nobody has heard of', async () => {
    const { port, fail } = portWith();
    const [awaited, caught, shown, late, forgotten] = [1, 2, 3, 4, 5].map(() => port.request(1, []));
    const heard = [awaited!.catch(() => 0), caught!.then(undefined, () => 0)];
    port.hear(shown);
    port.hear('a text');
    port.hear({});
    // As the engine would see it: without asking it for its `then`.
    // oxlint-disable-next-line typescript/unbound-method -- it is called by way of `apply`
    const unseen = Reflect.apply(Promise.prototype.then, forgotten, [undefined, () => 0]);
    heard.push(unseen as Promise<number>);
    for (const id of [1, 2, 3, 4, 5]) fail(id);
    heard.push(
      late!.catch(() => 0),
      shown!.catch(() => 0),
    );
    await Promise.all(heard);
    expect(port.unheard()).toBe('5');
    expect(port.unheard()).toBe('');
  });

  it('forgets calls that will have no answer', async () => {
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

  it('hands out promises whose class cannot be changed', () => {
    const { port } = portWith();
    const answer = port.request(1, []);
    expect(answer).toBeInstanceOf(Promise);
    expect(Object.isFrozen(answer.constructor)).toBe(true);
    expect(Object.isFrozen(answer.constructor.prototype)).toBe(true);
    expect(answer.then(() => 1).constructor).toBe(Promise);
  });
});
