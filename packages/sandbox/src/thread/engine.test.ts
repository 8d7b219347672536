import { describe, expect, it } from 'vitest';
import { Engine, type EngineHost } from './engine.ts';

const MB = 1024 * 1024;

/** A engine, what it printed, and the calls it asked for. */
async function engineWith(more: Partial<EngineHost> = {}) {
  const printed: string[] = [];
  const asked: string[] = [];
  const engine = await Engine.start({
    memoryBytes: 32 * MB,
    print: (text) => printed.push(text),
    requestCall: (call, args) => asked.push(`${call} ${args}`),
    isStopped: () => false,
    ...more,
  });
  engine.setScope('begin', JSON.stringify([{ name: 'read', callee: 7, signature: 'read(target)', members: [] }]));
  return { engine, printed, asked };
}

/** What a script comes to, with all its jobs done. */
function result(engine: Engine, script: string, shows = true) {
  engine.evaluate(script, 'block-1');
  while (engine.runJobs()) continue;
  return engine.evaluation(shows);
}

describe('Engine', () => {
  it('evaluates scripts over the same variables', async () => {
    const { engine, printed } = await engineWith();
    expect(result(engine, 'var a = await 1; console.log("at", a)')).toEqual({ state: 'done', value: undefined });
    expect(result(engine, 'a + 1')).toEqual({ state: 'done', value: '2' });
    expect(result(engine, 'a + 1', false)).toEqual({ state: 'done', value: undefined });
    expect(result(engine, 'throw new TypeError("bad")')).toEqual({
      state: 'thrown',
      error: { name: 'TypeError', message: 'bad', stack: expect.stringContaining('block-1:1') },
    });
    expect(result(engine, 'await new Promise(() => {})')).toEqual({ state: 'pending' });
    expect(printed).toEqual(['at 1']);
  });

  it('continues when a call is settled, once', async () => {
    const { engine, asked } = await engineWith();
    expect(result(engine, 'await read("a", [1])')).toEqual({ state: 'pending' });
    expect(asked).toEqual(['7 {"0":"a","1":[1]}']);
    engine.settle(1, 'json', '{"rows":[1]}');
    engine.settle(1, 'json', '"again"');
    engine.settle(2, 'json', '"never asked"');
    while (engine.runJobs()) continue;
    expect(engine.evaluation(true)).toEqual({ state: 'done', value: '{ rows: [1] }' });
  });

  it('reports calls whose errors nothing caught, and forgets pending ones', async () => {
    const { engine } = await engineWith();
    result(engine, 'read("a"); read("b").catch(() => 0); var late = read("c").then(() => console.log("late"))');
    const failure = JSON.stringify({ name: 'Error', message: 'no' });
    engine.settle(1, 'error', failure);
    engine.settle(2, 'error', failure);
    engine.forget();
    engine.settle(3, 'json', '"c"');
    while (engine.runJobs()) continue;
    expect([engine.takeNotAwaited(3), engine.takeNotAwaited(3)]).toEqual([
      { errors: [1], count: 1, unread: [1] },
      { errors: [], count: 0 },
    ]);
  });

  it('stops code on request', async () => {
    let stopped = false;
    const { engine } = await engineWith({ isStopped: () => stopped });
    let questions = 0;
    const { engine: other } = await engineWith({ isStopped: () => ++questions > 100 });
    expect(result(other, 'while (true);')).toMatchObject({ state: 'thrown', error: { message: 'interrupted' } });
    stopped = true;
    expect(result(engine, 'while (true);')).toMatchObject({ state: 'thrown' });
    stopped = false;
    expect(result(engine, '1 + 1')).toEqual({ state: 'done', value: '2' });
  });

  it('does its own work to the end, also once code is stopped', { tags: ['long'] }, async () => {
    let stopped = false;
    const { engine } = await engineWith({ isStopped: () => stopped });
    result(engine, 'read("a").catch(() => 0)');
    stopped = true;
    const many = Array.from({ length: 20_000 }, (_, callee) => ({
      name: `tool_${callee}`,
      callee,
      signature: '',
      members: [],
    }));
    engine.settle(1, 'error', '{"name":"Error","message":"no"}');
    engine.setScope('move', JSON.stringify(many));
    engine.setScope('begin', JSON.stringify(many.slice(1)));
    stopped = false;
    expect(result(engine, 'typeof tool_0 + typeof tool_19999')).toEqual({ state: 'done', value: 'undefinedfunction' });
  });

  it.each([
    ['Object.defineProperty(globalThis, "read", { get: () => 1, configurable: false })', 'read'],
    ['Object.defineProperty(globalThis, "read", { configurable: false, writable: false })', 'read'],
    ['Object.defineProperty(globalThis, "find", { get: () => 1, configurable: false })', 'find'],
    ['Object.preventExtensions(globalThis)', 'globalThis'],
    ['Object.freeze(globalThis)', 'globalThis'],
    ['var read = 5, find = 6', undefined],
    ['globalThis.find = 5', undefined],
  ])('reports what %s has made unchangeable', async (code, taken) => {
    const { engine } = await engineWith();
    result(engine, code);
    const nodes = ['read', 'find'].map((name, callee) => ({ name, callee, signature: `${name}()`, members: [] }));
    const begin = (): void => engine.setScope('begin', JSON.stringify(nodes));
    if (taken === undefined) expect(begin).not.toThrow();
    else expect(begin).toThrow(`code has made ${taken} unchangeable, and tools need it`);
  });

  it('reports it within a block, too', async () => {
    const { engine } = await engineWith();
    result(engine, 'Object.freeze(globalThis)');
    expect(() => engine.setScope('move', '[]')).toThrow('code has made globalThis unchangeable');
  });

  it('cannot stop native functions, so the thread has to be ended', async () => {
    let asked = 0;
    const { engine } = await engineWith({ isStopped: () => ++asked > 0 && false });
    const before = asked;
    const looked = result(engine, '[].indexOf.call({ length: 1e7 }, 1)');
    expect(asked).toBe(before);
    expect(looked).toEqual({ state: 'done', value: '-1' });
  });

  it('has as much memory as it was given, whatever takes it', { tags: ['long'] }, async () => {
    for (const take of [
      '[1, 2, 3]',
      '{ a: {} }',
      'new Uint8Array(100_000)',
      '"x".repeat(9999) + all.length',
      'new Map([[1, 2]])',
    ]) {
      const { engine } = await engineWith();
      expect(engine.isNearlyFull).toBe(false);
      expect(result(engine, `var all = []; while (true) all.push(${take})`)).toMatchObject({
        state: 'thrown',
        error: { message: 'out of memory' },
      });
      expect(engine.isNearlyFull).toBe(true);
    }
  });

  it('has no room for a text that is larger than its memory', async () => {
    const { engine } = await engineWith();
    result(engine, 'var text = ""; try { text = await read("a") } catch (error) { text = error.message }');
    engine.settle(1, 'json', JSON.stringify('x'.repeat(40 * MB)));
    while (engine.runJobs()) continue;
    expect(result(engine, 'text')).toEqual({
      state: 'done',
      value: expect.stringMatching(
        /^out of memory: there is no room for the result beside the variables of the session \(32 MB\)\. To go on, set /,
      ) as string,
    });
    expect(() => engine.evaluate('x'.repeat(40 * MB), 'block-2')).toThrow('out of memory');
  });
});
