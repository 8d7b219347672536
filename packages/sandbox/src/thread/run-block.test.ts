import { beforeAll, describe, expect, it } from 'vitest';
import type { HostMessage, ThreadMessage, ThreadSettings } from '../messages.ts';
import { Engine } from './engine.ts';
import { loadTypeRemover } from './prepare-code.ts';
import { BlockOutput, BlockRun } from './run-block.ts';

beforeAll(loadTypeRemover);

const SETTINGS: ThreadSettings = {
  memoryBytes: 32 * 1024 * 1024,
  mostCalls: 100,
  mostArguments: 1000,
  outputLimit: 1000,
  signal: new SharedArrayBuffer(8),
};
const SCOPE = JSON.stringify([{ name: 'read', callee: 5, signature: 'read(target)', members: [] }]);

/** A engine in this very thread; what it is told while it waits is prepared beforehand. */
async function stage() {
  const told: ThreadMessage[] = [];
  const inbox: HostMessage[] = [];
  let stopped = false;
  let run: BlockRun | undefined;
  const engine = await Engine.start({
    memoryBytes: SETTINGS.memoryBytes,
    print: (text) => run?.print(text),
    requestCall: (callee, args) => run?.requestCall(callee, args) ?? 0,
    isStopped: () => stopped,
  });
  let blocks = 0;
  const execute = (code: string, ...messages: readonly HostMessage[]): readonly ThreadMessage[] => {
    told.length = 0;
    inbox.splice(0, inbox.length, ...messages);
    const next = (otherwise?: HostMessage): HostMessage | undefined => {
      const message = inbox.shift() ?? otherwise;
      if (message?.type === 'stop') stopped = true;
      return message;
    };
    const options = {
      settings: SETTINGS,
      poll: () => next(),
      isStopped: () => stopped,
      send: (message: ThreadMessage) => void told.push(message),
      wait: () => next({ type: 'stop' }) as HostMessage,
    };
    stopped = false;
    run = new BlockRun(options);
    run.run(engine, { type: 'run', block: ++blocks, code, scope: blocks === 1 ? SCOPE : '', operators: [] });
    return told;
  };
  return {
    execute,
    engine,
    late: (message: Extract<HostMessage, { type: 'result' }>) => run?.receive(engine, message),
  };
}

const answer = (block: number, id: number, value: unknown, scope = ''): Extract<HostMessage, { type: 'result' }> => ({
  type: 'result',
  block,
  id,
  scope,
  form: 'json',
  text: JSON.stringify(value),
});

describe('BlockRun', () => {
  it('sends output and calls when it waits, and how it ended', async () => {
    const { execute } = await stage();
    const told = execute('console.log("one"); const a = await read("x"); console.log("two"); a', answer(1, 1, 'A'));
    // How much is told at once depends on how fast this engine is.
    const call = told.findIndex((one) => one.type === 'progress' && one.calls.length > 0);
    expect(told[call]).toMatchObject({ calls: [{ id: 1, callee: 5, args: '{"0":"x"}' }], waits: true, received: 0 });
    const printed = (messages: typeof told) => messages.map((one) => ('output' in one ? one.output : '')).join('');
    expect([printed(told.slice(0, call + 1)), printed(told.slice(call + 1))]).toEqual(['one\n', 'two\n']);
    expect(told.at(-1)).toMatchObject({
      type: 'end',
      end: { state: 'done', value: 'A', cut: false },
      cut: false,
      notAwaited: { errors: [], count: 0 },
      spent: false,
    });
  });

  it('passes on many calls at once', async () => {
    const { execute } = await stage();
    const answers = Array.from({ length: 20 }, (_, index) => answer(1, index + 1, index));
    const told = execute('(await Promise.all(Array.from({ length: 20 }, () => read("x")))).at(-1)', ...answers);
    expect(told[0]).toMatchObject({ waits: true, calls: { length: 20 } });
    expect(told.at(-1)).toMatchObject({ end: { value: '19' } });
  });

  it.each([
    ['const x = ;', { state: 'unreadable', line: 1 }],
    ['throw new Error("x")', { state: 'thrown', error: { name: 'Error', message: 'x' } }],
    ['await new Promise(() => {})', { state: 'stuck' }],
    ['1; function f() {}', { state: 'done', value: undefined }],
  ])('%s ends as it should', async (code, end) => {
    const { execute } = await stage();
    expect(execute(code)).toMatchObject([{ type: 'end', end, spent: false }]);
  });

  it('takes results while code is busy, too', async () => {
    const { execute } = await stage();
    const code =
      'let done = false; read("x").then(() => (done = true)); let turns = 0; while (!done) { await null; turns++ } turns > 100';
    expect(execute(code, answer(1, 1, 0)).at(-1)).toMatchObject({ end: { state: 'done', value: 'true' } });
  });

  it('stops on request, and what it began does not continue', async () => {
    const { execute, late } = await stage();
    const told = execute('var steps = ["begun"]; await read("x").then(() => steps.push("late"))', { type: 'stop' });
    expect(told.at(-1)).toMatchObject({ end: { state: 'stopped' }, spent: false });
    late(answer(1, 1, 'A'));
    expect(execute('steps').at(-1)).toMatchObject({ end: { value: "['begun']" } });
  });

  it('cannot be used again when a stopped block leaves work that never ends', async () => {
    const { execute } = await stage();
    const twins =
      'const twin = () => { Promise.resolve().then(twin); Promise.resolve().then(twin) }; twin(); await read("x")';
    // Nor is it asked for what was lost.
    const [last] = execute(`Promise.reject(1); ${twins}`, { type: 'stop' }).slice(-1);
    expect(last).toMatchObject({ end: { state: 'stopped' }, spent: true, notAwaited: { errors: [], count: 0 } });
  });

  it('ignores results of other blocks, except for their scope', async () => {
    const { execute } = await stage();
    execute('1');
    const elsewhere = JSON.stringify([{ name: 'find', callee: 6, signature: 'find()', members: [] }]);
    const told = execute('[await read("x"), typeof find]', answer(1, 1, 'old', elsewhere), answer(2, 1, 'new'));
    expect(told.at(-1)).toMatchObject({ end: { value: "['new', 'function']" } });
  });

  it('bounds the number and the size of calls', async () => {
    const { execute } = await stage();
    expect(execute('const all = Array.from({ length: 101 }, () => read("x")); await all[100]').at(-1)).toMatchObject({
      end: { state: 'stopped' },
    });
    const large = execute('await read("x".repeat(1000))').at(-1);
    expect(large).toMatchObject({
      end: { error: { message: 'a call takes at most 1000 characters, not 1008: pass it in parts' } },
    });
    const many = execute(
      'for (let i = 0; i < 40; i++) read("x".repeat(900)).catch((error) => console.log(error.message))',
    );
    expect(many.some((message) => message.type === 'progress' && message.calls.length === 2)).toBe(true);
    expect(JSON.stringify(many)).toContain(
      'calls without a result hold at most 2000 characters: await some of them first',
    );
  });

  it('bounds what calls hold at a time, not what they hold in all', async () => {
    const { execute } = await stage();
    const answers = Array.from({ length: 10 }, (_, index) => answer(1, index + 1, 'A'));
    const told = execute('for (let i = 0; i < 10; i++) await read("x".repeat(900)); "done"', ...answers);
    expect(told.at(-1)).toMatchObject({ end: { value: 'done' } });
  });

  it('reports which calls failed with what nothing caught', async () => {
    const { execute } = await stage();
    const failed = { ...answer(1, 1, { name: 'Error', message: 'no' }), form: 'error' as const };
    expect(execute('read("x"); 1', failed).at(-1)).toMatchObject({
      notAwaited: { errors: [1], count: 1 },
      end: { value: '1' },
    });
  });

  it.each([
    ['({ get [Symbol.toStringTag]() { WORK; return "x" } })', 'done'],
    ['throw { get message() { WORK; return "m" } }', 'thrown'],
    ['Promise.reject({ get message() { WORK; return "m" } }); 5', 'done'],
  ])('makes no calls for %s once it is over, nor in the next block', async (code, state) => {
    for (const work of ['read("x")', 'Promise.resolve().then(() => read("x"))']) {
      const { execute } = await stage();
      const told = execute(code.replace('WORK', work));
      expect(told).toMatchObject([{ type: 'end', end: { state }, spent: false, notAwaited: { count: 1 } }]);
      expect(execute('1')).toMatchObject([{ type: 'end', end: { value: '1' }, notAwaited: { count: 0 } }]);
    }
  });

  it('cannot be used again when formatting a value leaves work that never ends', async () => {
    const { execute } = await stage();
    const told = execute('({ get [Symbol.toStringTag]() { (async () => { for (;;) await 1 })(); return "x" } })');
    const message = 'what the code has begun never ends';
    expect(told.at(-1)).toMatchObject({ end: { state: 'thrown', error: { message } }, spent: true });
  });

  it('reports what it has received while it is busy, too', async () => {
    const { execute } = await stage();
    const code =
      'let done = false; read("x").then(() => (done = true)); while (!done) await null; for (let i = 0; i < 5000; i++) await null';
    const told = execute(code, answer(1, 1, 'x'.repeat(1_000_000)));
    expect(told).toContainEqual({ type: 'progress', output: '', calls: [], waits: false, received: 1_000_002 });
  });
});

describe('BlockOutput', () => {
  it('sends the first line at once, and later lines together', () => {
    const flushed: string[] = [];
    const output = new BlockOutput(100, (text) => flushed.push(text));
    for (const line of ['one', 'two', '']) output.print(line);
    expect(flushed).toEqual(['one\n']);
    expect(output.take()).toBe('two\n\n');
    expect(output.take()).toBe('');
    expect(output.isCut).toBe(false);
  });

  it('keeps as much as the limit allows, and drops the rest', () => {
    const flushed: string[] = [];
    const output = new BlockOutput(10, (text) => flushed.push(text));
    output.print('12345');
    for (let line = 0; line < 1000; line++) output.print('67890');
    expect(flushed.join('') + output.take()).toBe('12345\n6789\n');
    expect(output.isCut).toBe(true);
  });

  it.each<readonly [limit: number, lines: readonly string[], isCut: boolean]>([
    [4, ['1234'], false],
    [4, ['12345'], true],
    [11, ['01234', '56789'], false],
    [10, ['01234', '56789'], true],
    [3, ['', '', '', ''], false],
    [3, ['', '', '', '', ''], true],
  ])('of %s characters is cut by what does not fit: %j', (limit, lines, isCut) => {
    const output = new BlockOutput(limit, () => undefined);
    for (const line of lines) output.print(line);
    expect(output.isCut).toBe(isCut);
  });

  it('keeps no half characters, and no empty line for one that has no room', () => {
    const flushed: string[] = [];
    const output = new BlockOutput(5, (text) => flushed.push(text));
    for (const line of ['123😀']) output.print(line);
    const full = new BlockOutput(4, (text) => flushed.push(text));
    for (const line of ['123', '4']) full.print(line);
    expect([...flushed, full.take()]).toEqual(['123😀\n', '123\n', '']);
    const blank = new BlockOutput(4, (text) => flushed.push(text));
    for (const line of ['123', '']) blank.print(line);
    expect([flushed.at(-1), blank.take(), blank.isCut]).toEqual(['123\n', '\n', false]);
    const half = new BlockOutput(4, (text) => flushed.push(text));
    half.print('123😀');
    expect([flushed.at(-1), half.isCut]).toEqual(['123\n', true]);
  });
});
