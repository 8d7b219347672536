import { describe, expect, it } from 'vitest';
import type { FromThread, ThreadSettings, ToThread } from '../message.ts';
import { BlockRun } from './block-run.ts';
import { Machine } from './machine.ts';

const SETTINGS: ThreadSettings = {
  memoryBytes: 32 * 1024 * 1024,
  mostCalls: 100,
  mostArguments: 1000,
  outputLimit: 1000,
  wakefulMs: 0,
  signal: new SharedArrayBuffer(8),
};
const SCOPE = JSON.stringify([{ name: 'read', call: 5, shown: 'read(target)', members: [] }]);

/** A machine in this very thread; what it is told while it waits is prepared beforehand. */
async function stage() {
  const told: FromThread[] = [];
  const inbox: ToThread[] = [];
  let stopped = false;
  let run: BlockRun | undefined;
  const machine = await Machine.start({
    memoryBytes: SETTINGS.memoryBytes,
    print: (text) => run?.print(text),
    ask: (call, args) => run?.ask(call, args) ?? 0,
    isStopped: () => stopped,
  });
  let blocks = 0;
  const execute = (code: string, ...messages: readonly ToThread[]): readonly FromThread[] => {
    told.length = 0;
    inbox.splice(0, inbox.length, ...messages);
    const next = (otherwise?: ToThread): ToThread | undefined => {
      const message = inbox.shift() ?? otherwise;
      if (message?.type === 'stop') stopped = true;
      return message;
    };
    const options = {
      settings: SETTINGS,
      receive: () => next(),
      isStopped: () => stopped,
      tell: (message: FromThread) => void told.push(message),
      await: () => next({ type: 'stop' }) as ToThread,
    };
    stopped = false;
    run = new BlockRun(options);
    run.execute(machine, { type: 'run', block: ++blocks, code, scope: blocks === 1 ? SCOPE : '', operators: [] });
    return told;
  };
  return { execute, machine, late: (message: Extract<ToThread, { type: 'answer' }>) => run?.answer(machine, message) };
}

const answer = (block: number, id: number, value: unknown, scope = ''): Extract<ToThread, { type: 'answer' }> => ({
  type: 'answer',
  block,
  id,
  scope,
  form: 'json',
  text: JSON.stringify(value),
});

describe('BlockRun', () => {
  it('tells output and calls when it waits, and how it ended', async () => {
    const { execute } = await stage();
    const told = execute('console.log("one"); const a = await read("x"); console.log("two"); a', answer(1, 1, 'A'));
    // How much is told at once depends on how fast this machine is.
    const call = told.findIndex((one) => one.type === 'progress' && one.calls.length > 0);
    expect(told[call]).toMatchObject({ calls: [{ id: 1, call: 5, args: '{"0":"x"}' }], waits: true, taken: 0 });
    const printed = (messages: typeof told) => messages.map((one) => ('output' in one ? one.output : '')).join('');
    expect([printed(told.slice(0, call + 1)), printed(told.slice(call + 1))]).toEqual(['one\n', 'two\n']);
    expect(told.at(-1)).toMatchObject({
      type: 'end',
      end: { state: 'done', shown: 'A', cut: false },
      cut: false,
      lost: { first: [], count: 0 },
      spent: false,
    });
  });

  it('passes on many calls at once', async () => {
    const { execute } = await stage();
    const answers = Array.from({ length: 20 }, (_, index) => answer(1, index + 1, index));
    const told = execute('(await Promise.all(Array.from({ length: 20 }, () => read("x")))).at(-1)', ...answers);
    expect(told[0]).toMatchObject({ waits: true, calls: { length: 20 } });
    expect(told.at(-1)).toMatchObject({ end: { shown: '19' } });
  });

  it.each([
    ['const x = ;', { state: 'unreadable', line: 1 }],
    ['throw new Error("x")', { state: 'thrown', error: { name: 'Error', message: 'x' } }],
    ['await new Promise(() => {})', { state: 'stuck' }],
    ['1; function f() {}', { state: 'done', shown: undefined }],
  ])('%s ends as it should', async (code, end) => {
    const { execute } = await stage();
    expect(execute(code)).toMatchObject([{ type: 'end', end, spent: false }]);
  });

  it('takes answers while code is busy, too', async () => {
    const { execute } = await stage();
    const code =
      'let done = false; read("x").then(() => (done = true)); let turns = 0; while (!done) { await null; turns++ } turns > 100';
    expect(execute(code, answer(1, 1, 0)).at(-1)).toMatchObject({ end: { state: 'done', shown: 'true' } });
  });

  it('stops when it is told to, and what it began goes no further', async () => {
    const { execute, late } = await stage();
    const told = execute('var steps = ["begun"]; await read("x").then(() => steps.push("late"))', { type: 'stop' });
    expect(told.at(-1)).toMatchObject({ end: { state: 'stopped' }, spent: false });
    late(answer(1, 1, 'A'));
    expect(execute('steps').at(-1)).toMatchObject({ end: { shown: "['begun']" } });
  });

  it('is of no more use when a stopped block does not come to rest', async () => {
    const { execute } = await stage();
    const twins =
      'const twin = () => { Promise.resolve().then(twin); Promise.resolve().then(twin) }; twin(); await read("x")';
    // Nor is it asked for what was lost.
    const [last] = execute(`Promise.reject(1); ${twins}`, { type: 'stop' }).slice(-1);
    expect(last).toMatchObject({ end: { state: 'stopped' }, spent: true, lost: { first: [], count: 0 } });
  });

  it('ignores answers of other blocks, but for where the session is now', async () => {
    const { execute } = await stage();
    execute('1');
    const elsewhere = JSON.stringify([{ name: 'find', call: 6, shown: 'find()', members: [] }]);
    const told = execute('[await read("x"), typeof find]', answer(1, 1, 'old', elsewhere), answer(2, 1, 'new'));
    expect(told.at(-1)).toMatchObject({ end: { shown: "['new', 'function']" } });
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
      'calls without an answer hold at most 2000 characters: await some of them first',
    );
  });

  it('bounds what calls hold at a time, not what they hold in all', async () => {
    const { execute } = await stage();
    const answers = Array.from({ length: 10 }, (_, index) => answer(1, index + 1, 'A'));
    const told = execute('for (let i = 0; i < 10; i++) await read("x".repeat(900)); "done"', ...answers);
    expect(told.at(-1)).toMatchObject({ end: { shown: 'done' } });
  });

  it('tells which calls failed with what nothing caught', async () => {
    const { execute } = await stage();
    const failed = { ...answer(1, 1, { name: 'Error', message: 'no' }), form: 'error' as const };
    expect(execute('read("x"); 1', failed).at(-1)).toMatchObject({
      lost: { first: [1], count: 1 },
      end: { shown: '1' },
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
      expect(told).toMatchObject([{ type: 'end', end: { state }, spent: false, lost: { count: 1 } }]);
      expect(execute('1')).toMatchObject([{ type: 'end', end: { shown: '1' }, lost: { count: 0 } }]);
    }
  });

  it('is of no more use when what its words began does not come to rest', async () => {
    const { execute } = await stage();
    const told = execute('({ get [Symbol.toStringTag]() { (async () => { for (;;) await 1 })(); return "x" } })');
    const message = 'what the code left behind never comes to rest';
    expect(told.at(-1)).toMatchObject({ end: { state: 'thrown', error: { message } }, spent: true });
  });

  it('tells what it has taken while it is busy, too', async () => {
    const { execute } = await stage();
    const code =
      'let done = false; read("x").then(() => (done = true)); while (!done) await null; for (let i = 0; i < 5000; i++) await null';
    const told = execute(code, answer(1, 1, 'x'.repeat(1_000_000)));
    expect(told).toContainEqual({ type: 'progress', output: '', calls: [], waits: false, taken: 1_000_002 });
  });
});
