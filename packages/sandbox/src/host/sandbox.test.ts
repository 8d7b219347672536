import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bench, firstLine, sharedBench, stopClock } from '../../test/bench-of-blocks.ts';
import { Sandbox } from './sandbox.ts';

const table = sharedBench();

describe('the value of a block', () => {
  const SHOWN: readonly (readonly [code: string, output: string])[] = [
    ['1 + 1', '2'],
    ['"two\\nlines"', 'two\nlines'],
    ['["a", 1, null, undefined, true]', "['a', 1, null, undefined, true]"],
    ['({ name: "x", "two words": [1, { deep: 2n }] })', "{ name: 'x', 'two words': [1, { deep: 2n }] }"],
    ['new Map([["a", new Set([1])]])', "Map(1) { 'a' => Set(1) { 1 } }"],
    ['class Point { x = 1 }\nnew Point()', 'Point { x: 1 }'],
    ['const half = (n: number): number => n / 2\nhalf(3)', '1.5'],
    ['await Promise.resolve("later")', 'later'],
    ['Promise.resolve("awaited by itself")', 'awaited by itself'],
    ['(async () => "of a function")()', 'of a function'],
    ['new Promise(() => {})', 'Promise { <pending> }'],
    ['[Promise.resolve("x".repeat(100))]', `[\n  Promise { '${'x'.repeat(79)}… }\n]`],
    ['enum Level { Low, High }\nLevel.High', '1'],
    ['interface A { a: string }\nconst a = { a: "x" } satisfies A\na.a as string', 'x'],
    ['import type { Gone } from "gone"\n5 as unknown as Gone', '5'],
    ['export const kept = 3; kept', '3'],
    ['export default { a: 1, b: 2 }', '{ a: 1, b: 2 }'],
    ['class Cell { a = 1 }\n[new Cell()].map((cell) => cell.a)', '[1]'],
    ['let total: number\n(await read("a")).length', '9'],
    ['let none\n[1, 2].length', '2'],
    ['class Left {} class Right {}; new Right()', 'Right {}'],
    ['"a\\u0000b\\ud800c"', 'a\0b\ud800c'],
  ];

  it.each(SHOWN)('%s is shown as %s', async (code, output) => {
    expect(await table.outcome(code)).toEqual({ ok: true, output });
  });

  it.each([
    'let x = 42',
    'x = 42',
    'for (const each of [1, 2]) each',
    'if (true) 5',
    'function f() { return 1 }',
    'class A {}',
    'undefined',
    'await Promise.resolve()',
    '',
    '// nothing but a remark',
    'type A = string',
  ])('%s shows nothing', async (code) => {
    expect(await table.outcome(code)).toEqual({ ok: true, output: '' });
  });

  it('comes after everything that was printed, in order', async () => {
    const code =
      'console.log("one", { two: 2 })\nconsole.error(["three"])\nawait read("a")\nconsole.info("four")\n"five"';
    expect(await bench().run(code)).toBe("one { two: 2 }\n['three']\nfour\nfive");
  });
});

describe('variables', () => {
  it('outlive their block, however they were declared', async () => {
    const { run } = bench();
    await run('let a = 1; const b = 2; var c = 3; d = 4\nfunction e() { return 5 }\nclass F { f = 6 }');
    await run('const { g, ...h } = { g: 7, i: 8 }; const [j] = await Promise.all([9])');
    expect(await run('[a, b, c, d, e(), new F().f, g, h, j]')).toBe('[1, 2, 3, 4, 5, 6, 7, { i: 8 }, 9]');
  });

  it('may be declared again, in another way, and are one variable for every function', async () => {
    const { run } = bench();
    await run('const rate = 1; const price = () => rate * 10; class A {}; function twice() { return 2 }');
    await run('let rate = 3; class A { now = true }; const twice = () => 4');
    expect(await run('[price(), new A(), twice()]')).toBe('[30, A { now: true }, 4]');
    expect(await run('let rate; rate')).toBe('');
    await run('enum Level { Low = 5 }');
    expect(await run('enum Level { High }\nJSON.stringify(Level)')).toBe('{"0":"High","High":0}');
  });

  it('of a block that fails are as it left them', async () => {
    const pass = stopClock();
    const { run } = bench({ timeoutMs: 200 });
    await run('const list = [1]');
    await run('list.push(2); const more = 3; throw new Error("later"); list.push(4)');
    expect(await run('[list, more]')).toBe('[[1, 2], 3]');
    await run('list.push(');
    const running = firstLine();
    const ended = run('list.push(5); console.log("on"); while (true);');
    await running;
    pass(200);
    await ended;
    expect(await run('list')).toBe('[1, 2, 5]');
  });

  it('belong to their session, and to no other', async () => {
    const { run, sandbox, session } = bench();
    await run('var secret = 1');
    const other = 'typeof secret';
    expect(await run(other, { session: 'two' })).toBe('undefined');
    expect(
      await sandbox.run(other, { signal: new AbortController().signal, dispatch: () => Promise.reject() }),
    ).toEqual({
      ok: true,
      output: 'undefined',
    });
    await sandbox.forget(session);
    expect(await run(other)).toBe('undefined');
  });

  it('of blocks that are sent at once are those of one block after the other', async () => {
    const { run } = bench();
    const outputs = await Promise.all([
      run('var n = 1; await read("a"); n'),
      run('n += 1; await read("b"); n'),
      run('n += 1'),
    ]);
    expect(outputs).toEqual(['1', '2', '']);
    expect(await run('n')).toBe('3');
  });
});

describe('an error', () => {
  it('names the lines of the code it went through, and no others', async () => {
    const { run } = bench();
    await run('interface Row {\n  name: string\n}\n\nfunction first(rows: Row[]) {\n  return rows[0].name\n}');
    expect(await run('const all = () =>\n  [[]].map((rows) => first(rows))\nall()')).toMatchInlineSnapshot(`
      "TypeError: cannot read property 'name' of undefined
        at first (line 6 of block 1)
        at line 2
        at all (line 2)
        at line 3"
    `);
  });

  it('of a tool has its name, its message and the line of the call', async () => {
    const code = 'async function load() {\n  return await read("missing")\n}\n\nawait load()';
    expect(await bench().outcome(code)).toMatchInlineSnapshot(`
      {
        "error": "FileNotFoundError: missing. Did you mean x?
        at load (line 2)
        at line 5",
        "errorType": "FileNotFoundError",
        "ok": false,
        "output": "FileNotFoundError: missing. Did you mean x?
        at load (line 2)
        at line 5",
      }
    `);
    const caught =
      'try { await read("missing") } catch (error) { `${error instanceof Error} ${error.name}|${error.message}` }';
    expect(await bench().run(`const said = await (async () => { ${caught.replace('`$', 'return `$')} })(); said`)).toBe(
      'true FileNotFoundError|missing. Did you mean x?',
    );
  });

  it('stands after what was printed before it', async () => {
    expect(await bench().run('console.log("before")\nnull.x')).toBe(
      "before\nTypeError: cannot read property 'x' of null\n  at line 2",
    );
  });

  it('is separate from what was printed, as is what nothing caught', async () => {
    const { outcome } = bench();
    expect(await outcome('console.log("before")\nnull.x')).toMatchObject({
      ok: false,
      error: "TypeError: cannot read property 'x' of null\n  at line 2",
    });
    const lost = await outcome('read("missing")\n"shown"');
    expect(lost).toMatchObject({
      ok: true,
      error: expect.stringMatching(/^Not awaited: read\("missing"\): /) as string,
    });
    expect(lost.output).toBe(`shown\n${lost.error}`);
    expect(await outcome('1')).toEqual({ ok: true, output: '1' });
  });

  it.each([
    ['const x = ;', 'SyntaxError: Unexpected token\n  at line 1: const x = ;'],
    ['1\n2 +* 3', 'SyntaxError: Unexpected token\n  at line 2: 2 +* 3'],
    [
      'return 5',
      'SyntaxError: return outside of a function: the value of the last line is shown by itself\n  at line 1: return 5',
    ],
    [
      '\nimport fs from "node:fs"\nfs',
      'SyntaxError: there is nothing to import: code reaches tools only\n  at line 2: import fs from "node:fs"',
    ],
    ['throw 5', 'Error: 5'],
    ['throw null', 'Error: null'],
    ['throw { code: 1 }', 'Error: { code: 1 }'],
    ['throw { get message() { throw 1 } }', 'Error: '],
    ['raed("a")', "ReferenceError: 'raed' is not defined\n  at line 1\nDid you mean read?"],
    [
      'await source.raed("x")',
      'TypeError: not a function\n  at line 1\nsource has no tool raed. Did you mean source.read?',
    ],
    [
      'const all = async () =>\n  Promise.all([my_notes.dd("x")])\nawait all()',
      'TypeError: not a function\n  at all (line 2)\n  at line 3\nmy_notes has no tool dd. Did you mean my_notes.add?',
    ],
    [
      'source.foo.bar()',
      "TypeError: cannot read property 'bar' of undefined\n  at line 1\nsource has no tool foo. It has read, tests.",
    ],
    [
      'namespace NS { export const k = 3 }\nNS.k',
      'SyntaxError: namespaces are not supported here: use an object\n  at line 1: namespace NS { export const k = 3 }',
    ],
    [
      'await fetch("https://x.test")',
      "ReferenceError: 'fetch' is not defined\n  at line 1\nCode here reaches nothing but tools: read, write, edit, grep, now, source, my_notes, home, back, up, nav, where.",
    ],
    [
      'await new Promise(() => {})',
      'RunError: the code awaits a promise that nothing will ever settle. Only tool calls are asynchronous here.\nTry: await a call itself: await nav()',
    ],
    [
      'await Promise.any([read("missing"), Promise.reject(new Error("no"))])',
      'AggregateError: [[FileNotFoundError: missing. Did you mean x?], [Error: no]]\n  at line 1',
    ],
    [
      'Math.max(...Array.from({ length: 70_000 }, (_, at) => at))',
      'RangeError: too many arguments in function call (only 65534 allowed)\n  at line 1\nInstead of spreading a long array: values.reduce((most, value) => Math.max(most, value), -Infinity).',
    ],
    [
      '"x".repeat(1e9)',
      'RunError: out of memory: the variables of a session may take 256 MB.\n  at line 1\nTry: keep counts and names instead of contents',
    ],
  ])('of %s reads %s', async (code, output) => {
    const outcome = await table.outcome(code);
    expect(outcome.output).toBe(output);
    expect(outcome).toMatchObject({ ok: false, errorType: output.slice(0, output.indexOf(':')) });
  });
});

describe('what code does to the language', () => {
  it.each(['get', 'set', 'value', 'writable'])(
    'changes neither words nor answers: Object.prototype.%s',
    async (name) => {
      const { run } = bench();
      await run(`Object.prototype.${name} = 1`);
      expect(await run('console.log({ a: [1] }); await read("missing")')).toMatch(
        /^\{ a: \[1\] \}\nFileNotFoundError: missing\./,
      );
    },
  );

  it('costs the variables when tools cannot be defined any more, and reports it', async () => {
    const { run, calls } = bench();
    await run('Object.defineProperty(globalThis, "read", { get: () => () => "forged", configurable: false })');
    expect(await run('await read("a")')).toBe(
      'RunError: code has made read unchangeable, and tools need it. The variables of this session are gone.\nTry: begin again with simpler code',
    );
    expect(await run('await read("a")')).toBe('text of a');
    expect(calls).toHaveLength(1);
  });
});

describe('sandboxes whose last session is forgotten', () => {
  it.runIf(process.platform === 'linux')(
    'leave no thread behind, though nobody disposes of them',
    { tags: ['long'] },
    async () => {
      const runOnce = async (): Promise<void> => {
        const sandbox = new Sandbox();
        const dispatch = () => Promise.reject(new Error('no calls here'));
        const outcome = await sandbox.run('1 + 1', { signal: new AbortController().signal, session: 'a', dispatch });
        expect(outcome).toMatchObject({ ok: true, output: '2' });
        await sandbox.forget('a');
        // A thread may be made ready right after a block.
        await new Promise(setImmediate);
      };
      const countThreads = (): number => readdirSync('/proc/self/task').length;
      await runOnce();
      const before = countThreads();
      for (let count = 0; count < 5; count++) await runOnce();
      expect(countThreads()).toBeLessThanOrEqual(before + 1);
    },
  );
});
