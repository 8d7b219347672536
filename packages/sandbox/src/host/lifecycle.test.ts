// @module-tag long

import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answer, answerTo, bench, firstLine, SCOPE, spec, stopClock } from '../../test/bench-of-blocks.ts';

const signal = new AbortController().signal;

describe('time', () => {
  it('ends code that does not end, and reports what remains', async () => {
    const pass = stopClock();
    const { run, outcome } = bench({ timeoutMs: 200 });
    await run('let n = 0');
    const running = firstLine();
    const ended = outcome('\nfunction spin() { console.log("on"); while (true) n++ }\n\nspin()');
    await running;
    pass(200);
    expect(await ended).toMatchObject({
      ok: false,
      output:
        'on\nTimeoutError: the code was stopped after 0.2s. Variables are as the code left them.\n  at spin (line 2)\n  at line 4\nTry: do less in one block',
      errorType: 'TimeoutError',
    });
    expect(await run('typeof n')).toBe('number');
  });

  it('ends code that never checks whether to stop, with its variables', async () => {
    const pass = stopClock();
    const { run } = bench({ timeoutMs: 200 });
    await run('let kept = 1; console.log("x")');
    const running = firstLine();
    const ended = run('console.log("printed before");\n[].indexOf.call({ length: 2 ** 53 - 1 }, 1)');
    await running;
    pass(300);
    expect(await ended).toBe(
      'printed before\nTimeoutError: the code was stopped after 0.2s. The variables of this session are gone.\nTry: do less in one block',
    );
    expect(await run('typeof kept')).toBe('undefined');
  });

  it('counts for calls without a result, which are reported', async () => {
    const pass = stopClock();
    const { run, called } = bench({ timeoutMs: 200 });
    const waiting = 'Array.from({ length: 4 }, () => read("never"))';
    const ended = run(`await read("a"); await Promise.all(${waiting})`);
    await called(5);
    pass(200);
    expect(await ended).toBe(
      'TimeoutError: the code was stopped after 0.2s. Without a result, outcome unknown: read("never"), read("never"), read("never") and 1 more. Variables are as the code left them.\nTry: make slow calls with tags',
    );
    const endedAgain = run('read("never"); "value"');
    await called(6);
    pass(200);
    expect(await endedAgain).toMatch(/^TimeoutError: .* outcome unknown: read\("never"\)\./);
  });

  it('can be over while the block moves', async () => {
    const pass = stopClock();
    let place = 0;
    const tools = () => Array.from({ length: 40 }, (_, index) => spec(`tool_${place}_${index}`));
    const { run, called, calls } = bench({ timeoutMs: 40 }, async () => answer(String(++place)));
    const options = { scope: () => ({ ...SCOPE, tools: tools() }) };
    await run('let moves = 0', options);
    for (let round = 0; round < 25; round++) {
      const ended = run('for (;;) { await source(); await home(); moves++ }', options);
      await called(calls.length + 1 + (round % 5));
      pass(40);
      expect(await ended).toMatch(/^TimeoutError: .* Variables are as the code left them\./);
    }
    expect(await run('typeof moves', options)).toBe('number');
  });

  it('reports calls that are aborted when it is over, as those of an agent are', async () => {
    const pass = stopClock();
    const { run, called } = bench(
      { timeoutMs: 200 },
      (_, block) =>
        new Promise((resolve) => {
          block!.signal.addEventListener('abort', () => resolve(answer('AbortError: stopped', { ok: false })));
        }),
    );
    const ended = run('await Promise.all([read("a"), read("b")])');
    await called(2);
    pass(200);
    expect(await ended).toBe(
      'TimeoutError: the code was stopped after 0.2s. Without a result, outcome unknown: read("a"), read("b"). Variables are as the code left them.\nTry: make slow calls with tags',
    );
  });

  it('does not count while a person is asked', async () => {
    const pass = stopClock();
    const { run } = bench({ timeoutMs: 200 }, (call, block) =>
      block!.pauseDuring(async () => {
        pass(500);
        return answerTo(call);
      }),
    );
    expect(await run('await write("a", "b")')).toBe('text of a');
  });

  it('aborts the calls when it is over', async () => {
    const pass = stopClock();
    const reasons: unknown[] = [];
    const { run, called } = bench({ timeoutMs: 100 }, (_, block) => {
      block!.signal.addEventListener('abort', () => reasons.push((block!.signal.reason as Error).name));
      return new Promise(() => undefined);
    });
    const ended = run('await read("a")');
    await called(1);
    pass(100);
    await ended;
    expect(reasons).toEqual(['AbortError']);
  });

  it('takes nothing of a stopped block into the next', async () => {
    const pass = stopClock();
    const { run, calls, called } = bench({ timeoutMs: 150 });
    const stop = async (code: string): Promise<void> => {
      const ended = run(code);
      await called(calls.length + 1);
      pass(150);
      await ended;
    };
    await stop('var ticks = 0; (async () => { while (true) { ticks++; await null } })(); await read("never")');
    const ticks = await run('ticks');
    expect(await run('ticks')).toBe(ticks);
    await stop('var late = read("never").then(() => read("too late"))');
    await run('await read("a")');
    expect(calls.map(({ arg }) => arg)).toEqual(['never', 'never', 'a']);
  });
});

describe('a cancelled block', () => {
  const UNKNOWN = ' Without a result, outcome unknown: read("never").';

  it.each([
    ['while (true);', '', 0],
    ['await read("never")', UNKNOWN, 0],
    ['await new Promise(() => {}).then(read("never"))', UNKNOWN, 0],
    ['[].indexOf.call({ length: 2 ** 53 - 1 }, 1)', '', 100],
  ])('%s ends at once, and names the pending calls', async (code, unknown, ms) => {
    const pass = stopClock();
    const { outcome, run, called } = bench({});
    await run('var kept = 1');
    const controller = new AbortController();
    const running = firstLine();
    const ended = outcome(`console.log("on"); ${code}`, { signal: controller.signal });
    await running;
    if (unknown !== '') await called(1);
    controller.abort();
    pass(ms);
    expect(await ended).toMatchObject({
      ok: false,
      output: `on\nAbortError: the block was cancelled.${unknown}`,
      errorType: 'AbortError',
    });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(await run('1 + 1')).toBe('2');
  });

  it('is never begun when it was cancelled before', async () => {
    const { outcome, run, calls } = bench({});
    expect(await outcome('read("a")', { signal: AbortSignal.abort() })).toMatchObject({ errorType: 'AbortError' });
    const controller = new AbortController();
    const [first, second] = [run('await read("b")'), outcome('read("c")', { signal: controller.signal })];
    controller.abort();
    expect(await second).toMatchObject({ errorType: 'AbortError' });
    await first;
    expect(calls.map(({ arg }) => arg)).toEqual(['b']);
  });

  it('has an outcome at once, also while the block before it runs', async () => {
    const { outcome, session, sandbox } = bench({});
    const controller = new AbortController();
    let isOver = false;
    const running = firstLine();
    const first = outcome('console.log("on"); while (true);').then(() => (isOver = true));
    const second = outcome('1', { signal: controller.signal });
    await running;
    controller.abort();
    expect(await second).toMatchObject({ output: 'AbortError: the block was cancelled.' });
    expect(await outcome('1', { signal: controller.signal })).toMatchObject({ errorType: 'AbortError' });
    expect([isOver, getEventListeners(controller.signal, 'abort')]).toEqual([false, []]);
    await sandbox.forget(session);
    await first;
  });

  it('leaves nothing on a signal that outlives it', async () => {
    const controller = new AbortController();
    const { outcome } = bench({});
    await outcome('1', { signal: controller.signal });
    await outcome('throw 1', { signal: controller.signal });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('makes no more calls', async () => {
    const controller = new AbortController();
    const { outcome, calls, run } = bench({}, async (call) => {
      controller.abort();
      return answerTo(call);
    });
    await outcome('for (let i = 0; i < 100; i++) read(`f${i}`)', { signal: controller.signal });
    await run('1');
    expect(calls.length).toBeLessThan(9);
  });
});

describe('output', () => {
  it('is kept up to its limit', async () => {
    const { run } = bench({ outputLimit: 20 });
    expect(await run('for (let i = 0; i < 1000; i++) console.log("0123456789"); "end"')).toBe(
      '0123456789\n012345678\n… output beyond 20 characters is left out\nend',
    );
    expect(await run('console.log("0123456789"); console.log("123456789")')).toBe('0123456789\n123456789');
  });

  it('is kept up to its limit of a value, too', async () => {
    const { outcome } = bench({ outputLimit: 10 });
    expect(await outcome('"x".repeat(100)')).toEqual({
      ok: true,
      output: 'xxxxxxxxxx\n… value beyond 10 characters is left out',
    });
    expect(await outcome('"x".repeat(9) + "😀"')).toMatchObject({
      output: 'xxxxxxxxx\n… value beyond 10 characters is left out',
    });
    expect(await outcome('"x".repeat(10)')).toEqual({ ok: true, output: 'x'.repeat(10) });
  });

  it.each([
    ['"x".repeat(10_000_000)', 64_050],
    ['throw new Error("z".repeat(5e6))', 4100],
    ['throw Object.assign(new Error("a"), { name: "n".repeat(1e6) })', 200],
    ['throw Object.assign(new Error("a"), { stack: "    at f (block-1:1:1)\\n".repeat(1e5) })', 500],
    ['Promise.reject(new Error("z".repeat(5e6))); 1', 4100],
  ])('of a usual sandbox is bounded: %s', async (code, most) => {
    const { outcome } = bench();
    const { output, errorType = '' } = await outcome(code);
    expect(output.length).toBeLessThan(most);
    expect(errorType.length).toBeLessThanOrEqual(100);
  });
});

describe('depth', () => {
  it.each([
    'const down = () => down(); down()',
    'let list = []; for (let i = 0; i < 1e5; i++) list = [list]; JSON.stringify(list)',
    'JSON.parse("[".repeat(1e5))',
    'new RegExp("(".repeat(1e4) + ")".repeat(1e4))',
    'eval("(".repeat(1e5))',
    '('.repeat(1e5),
  ])('that is too much is an error: %.40s', async (code) => {
    const { outcome, run } = bench({});
    expect(await outcome(code)).toMatchObject({ ok: false });
    expect(await run('1 + 1')).toBe('2');
  });
});

describe('memory', () => {
  it('that is used up costs the variables, and reports it', async () => {
    const { run } = bench({ memoryMb: 32 });
    await run('var kept = 1');
    const output = await run('const all = []\nwhile (true) all.push(new Array(100).fill(1))');
    // There is not always room to say where it was.
    expect(output.replace('\n  at line 2', '')).toBe(
      'RunError: out of memory: the variables of a session may take 32 MB. The variables of this session are gone.\nTry: keep counts and names instead of contents',
    );
    expect(await run('typeof kept')).toBe('undefined');
  });

  it('has no room for words, which is reported as that', async () => {
    const { run } = bench({ memoryMb: 32 });
    await run('const text = "\\u0001".repeat(4e6)');
    for (const code of ['console.log(text)', 'text', 'throw new Error(text)']) {
      expect(await run(code)).toMatch(/^RunError: out of memory: the variables of a session may take 32 MB\./);
      await run('const text = "\\u0001".repeat(4e6)');
    }
  });

  it('has room for the rows of a log and for reading others after it', async () => {
    const line = '2026-11-20T00:00:00.161Z INFO  gateway [http] GET /checkout/76388 200 117 ms req=269e0d37\n';
    const { run } = bench({}, async () => answer(line.repeat(88_000)));
    await run(
      'const rows: object[] = []; for (const line of (await read("a")).split("\\n")) { const [at, level, service] = line.split(/\\s+/); rows.push({ at, level, service, line }); }',
    );
    expect(
      await run('let lines = 0; for (const name of ["b", "c"]) lines += (await read(name)).split("\\n").length; lines'),
    ).toBe('176002');
  });

  it('has no room for data that takes more than its text, and the call that it was for fails', async () => {
    const rows = Array.from({ length: 400_000 }, () => ({}));
    const { run } = bench({ memoryMb: 32 }, async () => answer('', { value: rows }));
    expect(await run('await read("rows").catch((error) => error.message)')).toBe(
      'out of memory: there is no room for the result beside the variables of the session (32 MB). To go on, set variables that are not needed to undefined, or read in parts: read("big.log:1-10000")',
    );
  });

  it('is not used up because code claims so', async () => {
    const { run } = bench();
    expect(await run('throw new Error("out of memory")')).toBe('Error: out of memory\n  at line 1');
  });

  it('has no room for a result that is too large', async () => {
    const { run } = bench({ memoryMb: 32 }, async () => answer('x'.repeat(20_000_000)));
    expect(await run('await read("a")')).toMatch(
      /^RangeError: out of memory: there is no room for the result .*\n  at line 1$/,
    );
    expect(await run('1 + 1')).toBe('2');
  });
});

describe('a sandbox', () => {
  it('that is disposed of ends what runs and begins nothing more', async () => {
    const { sandbox, run, outcome, called } = bench({});
    await run('1');
    const running = outcome('await read("never")');
    await called(1);
    await Promise.all([sandbox.dispose(), sandbox.dispose()]);
    expect(await running).toMatchObject({ ok: false, errorType: 'RunError' });
    expect(await outcome('1')).toEqual({
      ok: false,
      output: 'RunError: the sandbox is closed.',
      errorType: 'RunError',
    });
    await sandbox.warm();
  });

  it('that is disposed of ends blocks that have no session, too', async () => {
    const { sandbox } = bench({});
    const begun = firstLine();
    const code = 'console.log("on"); while (true);';
    const running = sandbox.run(code, { signal, dispatch: () => Promise.reject(new Error('no')) });
    await begun;
    await sandbox.dispose();
    expect(await running).toMatchObject({ ok: false, errorType: 'RunError' });
  });

  it('forgets a session whose block still runs', async () => {
    const { sandbox, session, outcome, run } = bench({});
    await run('var a = 1');
    const begun = firstLine();
    const running = outcome('console.log("on"); while (true);');
    await begun;
    await sandbox.forget(session);
    expect(await running).toMatchObject({
      output:
        'on\nRunError: the sandbox was closed. The variables of this session are gone.\nTry: begin again with simpler code',
    });
    expect(await run('typeof a')).toBe('undefined');
    await sandbox.forget('nobody');
  });

  it('survives a caller whose scope throws', async () => {
    const { outcome, run } = bench({});
    const scope = (): never => {
      throw new TypeError('no scope');
    };
    expect(await outcome('1', { scope })).toMatchObject({ ok: false, output: expect.stringContaining('no scope') });
    expect(await run('1')).toBe('1');
  });

  it('needs neither scope nor session', async () => {
    const { sandbox } = bench({});
    const outcome = await sandbox.run('typeof read + typeof nav', {
      signal,
      dispatch: () => Promise.reject(new Error('no')),
    });
    expect(outcome).toEqual({ ok: true, output: 'undefinedfunction' });
  });
});
