import { describe, expect, it } from 'vitest';
import { Machine, type MachineHost } from './machine.ts';

const MB = 1024 * 1024;

/** A machine, what it printed, and the calls it asked for. */
async function machineWith(more: Partial<MachineHost> = {}) {
  const printed: string[] = [];
  const asked: string[] = [];
  const machine = await Machine.start({
    memoryBytes: 32 * MB,
    print: (text) => printed.push(text),
    ask: (call, args) => asked.push(`${call} ${args}`),
    isStopped: () => false,
    ...more,
  });
  machine.begin(JSON.stringify([{ name: 'read', call: 7, shown: 'read(target)', members: [] }]));
  return { machine, printed, asked };
}

/** What a script comes to, with all its jobs done. */
function result(machine: Machine, script: string, shows = true) {
  machine.evaluate(script, 'block-1');
  while (machine.work()) continue;
  return machine.evaluation(shows);
}

describe('Machine', () => {
  it('evaluates scripts over the same variables', async () => {
    const { machine, printed } = await machineWith();
    expect(result(machine, 'var a = await 1; console.log("at", a)')).toEqual({ state: 'done', shown: undefined });
    expect(result(machine, 'a + 1')).toEqual({ state: 'done', shown: '2' });
    expect(result(machine, 'a + 1', false)).toEqual({ state: 'done', shown: undefined });
    expect(result(machine, 'throw new TypeError("bad")')).toEqual({
      state: 'thrown',
      error: { name: 'TypeError', message: 'bad', stack: expect.stringContaining('block-1:1') },
    });
    expect(result(machine, 'await new Promise(() => {})')).toEqual({ state: 'pending' });
    expect(printed).toEqual(['at 1']);
  });

  it('goes on when a call is answered, once', async () => {
    const { machine, asked } = await machineWith();
    expect(result(machine, 'await read("a", [1])')).toEqual({ state: 'pending' });
    expect(asked).toEqual(['7 {"0":"a","1":[1]}']);
    machine.settle(1, 'json', '{"rows":[1]}');
    machine.settle(1, 'json', '"again"');
    machine.settle(2, 'json', '"never asked"');
    while (machine.work()) continue;
    expect(machine.evaluation(true)).toEqual({ state: 'done', shown: '{ rows: [1] }' });
  });

  it('tells which calls failed with what nothing caught, and forgets those without an answer', async () => {
    const { machine } = await machineWith();
    result(machine, 'read("a"); read("b").catch(() => 0); var late = read("c").then(() => console.log("late"))');
    const failure = JSON.stringify({ name: 'Error', message: 'no' });
    machine.settle(1, 'error', failure);
    machine.settle(2, 'error', failure);
    machine.forget();
    machine.settle(3, 'json', '"c"');
    while (machine.work()) continue;
    expect([machine.lost(3), machine.lost(3)]).toEqual([
      { first: [1], count: 1, unasked: [1] },
      { first: [], count: 0 },
    ]);
  });

  it('stops code of the language when it is told to', async () => {
    let stopped = false;
    const { machine } = await machineWith({ isStopped: () => stopped });
    let until = Number.POSITIVE_INFINITY;
    const { machine: other } = await machineWith({ isStopped: () => performance.now() > until });
    until = performance.now() + 50;
    expect(result(other, 'while (true);')).toMatchObject({ state: 'thrown', error: { message: 'interrupted' } });
    stopped = true;
    expect(result(machine, 'while (true);')).toMatchObject({ state: 'thrown' });
    stopped = false;
    expect(result(machine, '1 + 1')).toEqual({ state: 'done', shown: '2' });
  });

  it('does its own work to the end, also once code is stopped', async () => {
    let stopped = false;
    const { machine } = await machineWith({ isStopped: () => stopped });
    result(machine, 'read("a").catch(() => 0)');
    stopped = true;
    const many = Array.from({ length: 20_000 }, (_, call) => ({ name: `tool_${call}`, call, shown: '', members: [] }));
    machine.settle(1, 'error', '{"name":"Error","message":"no"}');
    machine.move(JSON.stringify(many));
    machine.begin(JSON.stringify(many.slice(1)));
    stopped = false;
    expect(result(machine, 'typeof tool_0 + typeof tool_19999')).toEqual({ state: 'done', shown: 'undefinedfunction' });
  });

  it.each([
    ['Object.defineProperty(globalThis, "read", { get: () => 1, configurable: false })', 'read'],
    ['Object.defineProperty(globalThis, "read", { configurable: false, writable: false })', 'read'],
    ['Object.defineProperty(globalThis, "find", { get: () => 1, configurable: false })', 'find'],
    ['Object.preventExtensions(globalThis)', 'globalThis'],
    ['Object.freeze(globalThis)', 'globalThis'],
    ['var read = 5, find = 6', undefined],
    ['globalThis.find = 5', undefined],
  ])('tells what %s has taken for good', async (code, taken) => {
    const { machine } = await machineWith();
    result(machine, code);
    const nodes = ['read', 'find'].map((name, call) => ({ name, call, shown: `${name}()`, members: [] }));
    const begin = (): void => machine.begin(JSON.stringify(nodes));
    if (taken === undefined) expect(begin).not.toThrow();
    else expect(begin).toThrow(`code has made ${taken} unchangeable, and tools need it`);
  });

  it('tells it in the middle of a block, too', async () => {
    const { machine } = await machineWith();
    result(machine, 'Object.freeze(globalThis)');
    expect(() => machine.move('[]')).toThrow('code has made globalThis unchangeable');
  });

  it('cannot stop functions of the engine, so somebody has to end its thread', async () => {
    let asked = 0;
    const { machine } = await machineWith({ isStopped: () => ++asked > 0 && false });
    const before = asked;
    const looked = result(machine, '[].indexOf.call({ length: 1e7 }, 1)');
    expect(asked).toBe(before);
    expect(looked).toEqual({ state: 'done', shown: '-1' });
  });

  it('has as much memory as it was given, whatever takes it', async () => {
    for (const take of [
      '[1, 2, 3]',
      '{ a: {} }',
      'new Uint8Array(100_000)',
      '"x".repeat(9999) + all.length',
      'new Map([[1, 2]])',
    ]) {
      const { machine } = await machineWith();
      expect(machine.isNearlyFull).toBe(false);
      expect(result(machine, `var all = []; while (true) all.push(${take})`)).toMatchObject({
        state: 'thrown',
        error: { message: 'out of memory' },
      });
      expect(machine.isNearlyFull).toBe(true);
    }
  });

  it('has no room for a text that is larger than its memory', async () => {
    const { machine } = await machineWith();
    result(machine, 'var text = ""; try { text = await read("a") } catch (error) { text = error.message }');
    machine.settle(1, 'json', JSON.stringify('x'.repeat(40 * MB)));
    while (machine.work()) continue;
    expect(result(machine, 'text')).toEqual({ state: 'done', shown: 'out of memory: there is no room for the answer' });
    expect(() => machine.evaluate('x'.repeat(40 * MB), 'block-2')).toThrow('out of memory');
  });
});
