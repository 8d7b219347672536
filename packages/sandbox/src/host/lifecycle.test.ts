import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answer, answerTo, bench, SCOPE, spec } from '../../test/bench-of-blocks.ts';

const signal = new AbortController().signal;

describe('time', () => {
  it('ends code that does not end, and says what remains', async () => {
    const { run, outcome } = bench({ timeoutMs: 200 });
    await run('let n = 0');
    expect(await outcome('\nfunction spin() { while (true) n++ }\n\nspin()')).toMatchObject({
      ok: false,
      output:
        'TimeoutError: the code was stopped after 0.2s. Variables are as the code left them.\n  at spin (line 2)\n  at line 4\nTry: do less in one block',
      errorType: 'TimeoutError',
    });
    expect(await run('n > 1000')).toBe('true');
  });

  it('ends code that does not even look, with its variables', async () => {
    const { run } = bench({ timeoutMs: 200 });
    await run('let kept = 1; console.log("x")');
    expect(await run('console.log("printed before");\n[].indexOf.call({ length: 2 ** 53 - 1 }, 1)')).toBe(
      'printed before\nTimeoutError: the code was stopped after 0.2s. The variables of this session are gone.\nTry: do less in one block',
    );
    expect(await run('typeof kept')).toBe('undefined');
  });

  it('counts for calls without an answer, which are told', async () => {
    const { run } = bench({ timeoutMs: 200 });
    const waiting = 'Array.from({ length: 4 }, () => read("never"))';
    expect(await run(`await read("a"); await Promise.all(${waiting})`)).toBe(
      'TimeoutError: the code was stopped after 0.2s. Without an answer, outcome unknown: read("never"), read("never"), read("never") and 1 more. Variables are as the code left them.\nTry: make slow calls with tags',
    );
    expect(await run('read("never"); "value"')).toMatch(/^TimeoutError: .* outcome unknown: read\("never"\)\./);
  });

  it('can be over while the block moves', async () => {
    const { run } = bench({ timeoutMs: 40 });
    let place = 0;
    const tools = () => Array.from({ length: 40 }, (_, index) => spec(`tool_${place}_${index}`));
    const options = {
      scope: () => ({ ...SCOPE, tools: tools() }),
      dispatch: async () => answer(String(++place)),
    };
    await run('let moves = 0', options);
    for (let round = 0; round < 25; round++) {
      expect(await run('for (;;) { await source(); await home(); moves++ }', options)).toMatch(
        /^TimeoutError: .* Variables are as the code left them\./,
      );
    }
    expect(await run('moves > 0', options)).toBe('true');
  });

  it('tells calls that are given up when it is over, as those of an agent are', async () => {
    const { run } = bench(
      { timeoutMs: 200 },
      (_, block) =>
        new Promise((resolve) => {
          block!.signal.addEventListener('abort', () => resolve(answer('AbortError: stopped', { ok: false })));
        }),
    );
    expect(await run('await Promise.all([read("a"), read("b")])')).toBe(
      'TimeoutError: the code was stopped after 0.2s. Without an answer, outcome unknown: read("a"), read("b"). Variables are as the code left them.\nTry: make slow calls with tags',
    );
  });

  it('does not count while somebody is asked', async () => {
    const { run } = bench({ timeoutMs: 200 }, (call, block) =>
      block!.without(async () => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return answerTo(call);
      }),
    );
    expect(await run('await write("a", "b")')).toBe('text of a');
  });

  it('tells the calls when it is over', async () => {
    const reasons: unknown[] = [];
    const { run } = bench({ timeoutMs: 100 }, (_, block) => {
      block!.signal.addEventListener('abort', () => reasons.push((block!.signal.reason as Error).name));
      return new Promise(() => undefined);
    });
    await run('await read("a")');
    expect(reasons).toEqual(['AbortError']);
  });

  it('takes nothing of a stopped block over into the next', async () => {
    const { run, calls } = bench({ timeoutMs: 150 });
    await run('var ticks = 0; (async () => { while (true) { ticks++; await null } })(); await read("never")');
    const ticks = await run('ticks');
    expect(await run('ticks')).toBe(ticks);
    await run('var late = read("never").then(() => read("too late"))');
    await run('await read("a")');
    expect(calls.map(({ arg }) => arg)).toEqual(['never', 'never', 'a']);
  });
});

describe('a cancelled block', () => {
  const UNKNOWN = ' Without an answer, outcome unknown: read("never").';

  it.each([
    ['while (true);', ''],
    ['await read("never")', UNKNOWN],
    ['await new Promise(() => {}).then(read("never"))', UNKNOWN],
    ['[].indexOf.call({ length: 2 ** 53 - 1 }, 1)', ''],
  ])('%s ends at once, and names the calls under way', async (code, unknown) => {
    const { outcome, run } = bench({});
    await run('var kept = 1');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const began = performance.now();
    expect(await outcome(code, { signal: controller.signal })).toMatchObject({
      ok: false,
      output: `AbortError: the block was cancelled.${unknown}`,
      errorType: 'AbortError',
    });
    expect(performance.now() - began).toBeLessThan(5000);
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

  it('is answered at once, also while the block before it runs', async () => {
    const { outcome, session, sandbox } = bench({});
    const controller = new AbortController();
    let isOver = false;
    const first = outcome('while (true);').then(() => (isOver = true));
    const second = outcome('1', { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
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
    const { outcome, calls } = bench({}, async (call) => {
      controller.abort();
      return answerTo(call);
    });
    await outcome('for (let i = 0; i < 100; i++) read(`f${i}`)', { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
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
  ])('of a usual sandbox is not without end: %s', async (code, most) => {
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
  it('that is used up costs the variables, and says so', async () => {
    const { run } = bench({ memoryMb: 32 });
    await run('var kept = 1');
    const output = await run('const all = []\nwhile (true) all.push(new Array(100).fill(1))');
    // There is not always room to say where it was.
    expect(output.replace('\n  at line 2', '')).toBe(
      'RunError: out of memory: the variables of a session may take 32 MB. The variables of this session are gone.\nTry: keep counts and names instead of contents',
    );
    expect(await run('typeof kept')).toBe('undefined');
  });

  it('has no room for words, which is told as that', async () => {
    const { run } = bench({ memoryMb: 32 });
    await run('const text = "\\u0001".repeat(4e6)');
    for (const code of ['console.log(text)', 'text', 'throw new Error(text)']) {
      expect(await run(code)).toMatch(/^RunError: out of memory: the variables of a session may take 32 MB\./);
      await run('const text = "\\u0001".repeat(4e6)');
    }
  });

  it('has no room for data that takes more than its text, and the call that it was for fails', async () => {
    const rows = Array.from({ length: 400_000 }, () => ({}));
    const { run } = bench({ memoryMb: 32 }, async () => answer('', { value: rows }));
    expect(await run('await read("rows").catch((error) => error.message)')).toBe(
      'out of memory: there is no room for the answer',
    );
  });

  it('is not used up because code says so', async () => {
    const { run } = bench();
    expect(await run('throw new Error("out of memory")')).toBe('Error: out of memory\n  at line 1');
  });

  it('has no room for an answer that is too large', async () => {
    const { run } = bench({ memoryMb: 32 }, async () => answer('x'.repeat(20_000_000)));
    expect(await run('await read("a")')).toBe(
      'RangeError: out of memory: there is no room for the answer\n  at line 1',
    );
    expect(await run('1 + 1')).toBe('2');
  });
});

describe('a sandbox', () => {
  it('that is disposed of ends what runs and begins nothing more', async () => {
    const { sandbox, run, outcome } = bench({});
    await run('1');
    const running = outcome('await read("never")');
    await new Promise((resolve) => setTimeout(resolve, 50));
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
    const { sandbox } = bench({ timeoutMs: 60_000 });
    const running = sandbox.run('while (true);', { signal, dispatch: () => Promise.reject(new Error('no')) });
    await sandbox.warm();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await sandbox.dispose();
    expect(await running).toMatchObject({ ok: false, errorType: 'RunError' });
  });

  it('forgets a session whose block still runs', async () => {
    const { sandbox, session, outcome, run } = bench({});
    await run('var a = 1');
    const running = outcome('while (true);');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await sandbox.forget(session);
    expect(await running).toMatchObject({
      output:
        'RunError: the sandbox was closed. The variables of this session are gone.\nTry: begin again with simpler code',
    });
    expect(await run('typeof a')).toBe('undefined');
    await sandbox.forget('nobody');
  });

  it('survives a caller that throws where it is asked what is in scope', async () => {
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
