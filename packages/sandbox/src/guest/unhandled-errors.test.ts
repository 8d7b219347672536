// @module-tag long

import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { bench, firstLine, sharedBench, stopClock } from '../../test/bench-of-blocks.ts';
import { captureIntrinsics } from './intrinsics.ts';
import { createUnhandledErrors } from './unhandled-errors.ts';

const table = sharedBench();
const NO_PATH = '1\nNot awaited: TypeError: cannot convert to object';
const LOST = 'read("missing"): FileNotFoundError: missing. Did you mean x?';

describe('an error that nothing catches', () => {
  it.each([
    ['["a", "missing"].forEach(async (f) => { await read(f) })', `Not awaited: ${LOST}`],
    ['["a", "missing"].map(async (f) => await read(f)).length', `2\nNot awaited: ${LOST}`],
    ['async function go() { await read("missing") }\ngo(); "done"', `done\nNot awaited: ${LOST}`],
    ['const go = async () => { await read("missing") }\nconst later = go(); 1', `1\nNot awaited: ${LOST}`],
    ['Promise.all([read("missing"), read("a")]); 1', `1\nNot awaited: ${LOST}`],
    ['read("missing").then(() => 1); 1', `1\nNot awaited: ${LOST}`],
    ['read("missing").finally(() => 1); 1', `1\nNot awaited: ${LOST}`],
    ['new Promise((ok, no) => read("missing").then(ok, no)); 1', `1\nNot awaited: ${LOST}`],
    [
      'async function go() { try { await read("missing") } finally { if (!read) return } }\ngo(); 1',
      '1\nNot awaited: FileNotFoundError: missing. Did you mean x?',
    ],
    ['try { read("missing") } catch {}; 1', `1\nNot awaited: ${LOST}`],
    ['Promise.reject(new Error("lost")); 5', '5\nNot awaited: Error: lost\n  at line 1'],
    ['Promise.all([Promise.reject("text")]); 5', '5\nNot awaited: Error: text'],
    ['["a"].forEach(async (f) => JSON.parse(await read(f)).x)', "Not awaited: SyntaxError: unexpected token: 'text'"],
    [
      '["missing"].forEach(async (f) => {\n  try { await read(f) } catch (e) { throw new Error("no " + f) }\n})',
      'Not awaited: Error: no missing\n  at line 2',
    ],
    ['read("a").then(() => {\n  throw new RangeError("bad") })\n1', '1\nNot awaited: RangeError: bad\n  at line 2'],
    [
      '(class { async m() { null.x } }).prototype.m()\n1',
      "1\nNot awaited: TypeError: cannot read property 'x' of null",
    ],
    ['[undefined].forEach(async ({ path }) => { await read(path) }); 1', NO_PATH],
    ['const go = async (a, { path }) => path\ngo(1); 1', NO_PATH],
    ['class A { async go({ path }, ...rest) { return path } }\nnew A().go(); 1', NO_PATH],
    [
      'const fail = () => { throw new Error("no") }\nconst go = async (x = fail()) => x\ngo(); 1',
      '1\nNot awaited: Error: no',
    ],
    [
      'Promise.any([read("missing")]); 1',
      '1\nNot awaited: AggregateError: [[FileNotFoundError: missing. Did you mean x?]]',
    ],
    ['Promise.try(() => { throw new Error("tried") }); 1', '1\nNot awaited: Error: tried'],
    ['new Promise((_, no) => no(new Error("late"))); 1', '1\nNot awaited: Error: late'],
    ['new Promise(() => { throw new Error("early") }); 1', '1\nNot awaited: Error: early'],
    ['const { promise, reject } = Promise.withResolvers()\nreject(new Error("own")); 1', '1\nNot awaited: Error: own'],
    ['read({ toJSON() { throw 7 } }); 1', '1\nNot awaited: Error: 7'],
    ['read("a", () => 1); 1', '1\nNot awaited: TypeError: argument 2 is a function, which no tool takes'],
  ])('is reported after %s', async (code, output) => {
    expect(
      (await table.run(code)).replace(/(?<!Error: (?:no missing|lost|text)|RangeError: bad)\n {2}at .*$/, ''),
    ).toBe(output);
  });

  it.each([
    'try { await read("missing") } catch {}',
    'try { await read("missing") } catch ({ message }) { if (message === "") console.log("?") }',
    'await read("missing").catch(() => 0)',
    'await read("missing").then(undefined, () => 0)',
    'await (async () => { await read("missing") })().catch(() => 0)',
    'const f = async () => { await read("missing") }\ntry { await f() } catch (e) {}',
    'await read("missing").finally(() => 0).catch(() => 0)',
    'await read("a").then(() => { throw new Error("bad") }).catch(() => 0)',
    'await Promise.allSettled(["missing", "a"].map(async (f) => await read(f)))\nundefined',
    'await Promise.allSettled([read("missing"), Promise.reject(1)])\nundefined',
    'try { await Promise.all([read("missing"), read("missing"), read("missing")]) } catch {}',
    'await Promise.any([read("missing"), read("a")])\nundefined',
    'await Promise.race([read("a"), read("missing")])\nundefined',
    'await new Promise((ok, no) => read("missing").then(ok, no)).catch(() => 0)',
    'for (const one of ["missing"]) { const late = read(one); await read("a"); try { await late } catch {} }',
    'const down = () => { write({}).catch(() => 0); down() }\ntry { down() } catch {}',
    'await new Promise((ok) => read("missing").catch(ok))\nundefined',
    'await new Promise((ok) => read("missing").then(ok, ok))\nundefined',
    'const later = Promise.withResolvers()\nread("missing").catch(later.resolve); await later.promise\nundefined',
    'async function f() { try { await read("missing") } finally { return 1 } }\nawait f()\nundefined',
    'async function f() { try { throw 1 } catch { await read("missing") } finally { return 1 } }\nawait f()\nundefined',
    'for (const one of ["missing"]) { try { await read(one) } finally { continue } }',
    'const handler = { on() {} }\nawait read("missing").catch(handler.on.bind(handler))',
    'await [undefined].map(async ({ path }) => path)[0].catch(() => 0)',
    'try { await (async (x = null.y) => x)() } catch {}',
    'await Promise.any([read("missing")]).catch(() => 0)',
    'try { await Promise.any([read("missing")]) } catch {}',
    'await Promise.try(() => { throw new Error("tried") }).catch(() => 0)',
    'try { await new Promise((_, no) => no(new Error("late"))) } catch {}',
    'await new Promise(() => { throw new Error("early") }).catch(() => 0)',
    'await new Promise((ok, no) => { ok(1); no(new Error("too late")) })\nundefined',
    'const own = Promise.withResolvers()\nown.reject(new Error("own")); await own.promise.catch(() => 0)',
  ])('is not what is caught: %s', async (code) => {
    expect(await table.run(`${code}\n;undefined`)).toBe('');
  });

  it('is reported once, and not again when the block ends with it', async () => {
    const { run, outcome } = bench();
    expect(await run('await Promise.all([read("missing"), read("missing")])')).toMatch(
      /^FileNotFoundError: [^\n]+\n {2}at line 1$/,
    );
    expect(await run('read("missing"); 1')).toContain('Not awaited');
    expect(await run('1')).toBe('1');
    expect(await outcome('["missing"].forEach(async (f) => { await read(f) })')).toMatchObject({ ok: true });
  });

  it('is reported three times at most, with how many more there are', async () => {
    const output = await bench().run('for (let i = 0; i < 30; i++) read("missing"); 1');
    expect(output).toBe(
      ['1', ...Array.from({ length: 3 }, () => `Not awaited: ${LOST}`), 'Not awaited: 27 more'].join('\n'),
    );
  });

  it('takes no memory without end', async () => {
    const { run } = bench({ memoryMb: 32 });
    const code = 'for (let i = 0; i < 30_000; i++) Promise.reject(new Error("x".repeat(2000) + i)); 1';
    expect(await run(code)).toMatch(/\nNot awaited: 29997 more$/);
  });

  it('is counted until it is caught, also when there are more than are kept', async () => {
    const { run } = bench();
    const reject = 'const all = []; for (let i = 0; i < 5000; i++) all.push(Promise.reject(new Error("e" + i)))';
    expect(await run(`${reject}\nfor (const one of all) await one.catch(() => 0)`)).toBe('');
    expect(await run(`${reject}\nawait all[4500].catch(() => 0); 1`)).toMatch(/\nNot awaited: 4996 more$/);
    expect(await run('Promise.reject(new Error("one")); 1')).toBe('1\nNot awaited: Error: one\n  at line 1');
    // Those of before are told already: to catch them now counts for nothing.
    const late = 'for (const one of all) await one.catch(() => 0)';
    const more = 'for (let i = 0; i < 5; i++) Promise.reject(i); 1';
    expect(await run(`${late}\n${more}`)).toMatch(/\nNot awaited: 2 more$/);
  });

  it('stays what was thrown where it is not an object and there are more than are kept', async () => {
    const code =
      'let last; for (let i = 0; i < 2000; i++) await (async () => { throw i })().catch((e) => { last = e })';
    const kept = 'for (let i = 0; i < 1000; i++) Promise.reject(-1 - i)';
    expect(await bench().run(`${kept}\n${code}\nlast`)).toMatch(/^1999\nNot awaited: Error: -1\n/);
  });

  it('is reported without a message that would never come', async () => {
    const { run } = bench();
    await run('var kept = 1');
    const code = 'Promise.reject({ get message() { while (true); } }); 1';
    expect(await run(code)).toBe('1\nNot awaited: Error: its message takes too long to read');
    expect(await run('kept')).toBe('1');
  });

  it('runs no code that cannot be stopped to be reported', async () => {
    const pass = stopClock();
    const { run } = bench({ timeoutMs: 300 });
    await run('var kept = 1');
    const running = firstLine();
    const ended = run('Promise.reject({ get message() { console.log("on"); while (true); } }); 1');
    await running;
    pass(300);
    expect(await ended).toBe('on\n1\nNot awaited: Error: its message takes too long to read');
    expect(await run('kept')).toBe('1');
  });

  it.each([
    'Promise.prototype.then = () => { throw 1 }',
    'Map.prototype.set = Map.prototype.has = () => true',
    'Function.prototype.toString = () => "function () {\\n    [native code]\\n}"',
    'Reflect.apply = () => 1; Array.prototype[Symbol.iterator] = function* () {}',
    'Promise.all = Promise.race = Promise.reject = () => 0',
    'try { __caught = __escaped = () => 0 } catch {}',
  ])('is reported whatever code has done to the language: %s', async (code) => {
    const { run } = bench();
    await run(code);
    expect(await run('["missing"].forEach(async (f) => { await read(f) })')).toBe(`Not awaited: ${LOST}`);
    expect(await run('try { await read("missing") } catch (e) { console.log(e.name) }')).toBe('FileNotFoundError');
  });
});

describe('promises that are tracked', () => {
  it.each([
    ['await Promise.all([1, read("a"), { then: (ok) => ok(2) }])', "[1, 'text of a', 2]"],
    ['await Promise.all(new Set([1]))', '[1]'],
    ['await Promise.all(5).catch((error) => error.name)', 'TypeError'],
    [
      'class Own extends Promise {}\n[Own.all([1]) instanceof Own, Own.reject(1).catch(() => 0) instanceof Own]',
      '[true, true]',
    ],
    ['[Promise.all.name, Promise.reject.length, Promise.prototype.then.name]', "['all', 1, 'then']"],
    ['await Promise.resolve(1).then(5).then((n) => n + 1)', '2'],
    ['Promise.prototype.then.call(5)', 'TypeError: Promise object expected'],
    ['async function f() { var g = 1; function g() {} return g }\nawait f()', '1'],
    [
      'async function f() { "use strict"; function g() { return 1 } function g() { return 2 } return g() }\nawait f()',
      '2',
    ],
    [
      'class A { async m() { function g() { return 1 } function g() { return 2 } return g() } }\nawait new A().m()',
      '2',
    ],
    ['let x = 1; try { throw {} } catch ({ a = x }) { let x = 2; console.log(x + a) }', '3'],
    ['const f = async ({ a }, b = a, ...[c]) => [a, b, c]\nawait f({ a: 1 }, undefined, 3)', '[1, 1, 3]'],
    [
      'async function f(a, [b]) { var a = a + 1; function b() {}; return [a, typeof b, arguments.length] }\nawait f(1, [2])',
      "[2, 'function', 2]",
    ],
    ['class A { x = 1; async m({ y }) { return this.x + y } }\nawait new A().m({ y: 2 })', '3'],
    ['const f = async (g = async () => 5) => await g()\nawait f()', '5'],
    ['const f = async (\n  { a }, // one\n) =>\n  ({ a })\nawait f({ a: 1 })', '{ a: 1 }'],
    ['new Promise((ok) => ok(5)).then((n) => n + 1)', '6'],
    ['const made = async () => await new Promise((ok) => ok(new Promise((on) => on(7))))\nawait made()', '7'],
    ['let __error = 5; try { throw 1 } catch { var k = __error }\nk', '5'],
    [
      'class Own extends Promise {}\n[new Promise(() => 0) instanceof Promise, Own.try(() => 1) instanceof Own]',
      '[true, true]',
    ],
    ['async function f() { try { await null } finally { return "x" } }\nawait f()', 'x'],
    ['const add = async a => async b => a + b\nawait (await add(1))(2)', '3'],
    ['async function strict() { "use strict"; return this === undefined }\nawait strict()', 'true'],
    [
      'async function* all() { yield 1; yield 2 }\nconst seen = []; for await (const n of all()) seen.push(n); seen',
      '[1, 2]',
    ],
  ])('behave as ever: %s', async (code, output) => {
    expect((await table.run(code)).replace(/\n {2}at .*/s, '')).toBe(output);
  });
});

describe('tracking promises', () => {
  /** A realm that tracks errors, and counts how often that uses built-in functions of the realm. */
  function realm() {
    const code = `(() => {
      ${String(captureIntrinsics)}
      const own = captureIntrinsics();
      const counts = { thens: 0, texts: 0 };
      const apply = (work, self, args) => {
        if (work === own.promiseThen) counts.thens++;
        if (work === own.functionText) counts.texts++;
        return own.apply(work, self, args);
      };
      (${String(createUnhandledErrors)})({ ...own, apply }, () => undefined);
      return counts;
    })()`;
    const context = createContext({});
    const counts = runInContext(code, context) as { readonly thens: number; readonly texts: number };
    return { counts, run: (line: string): unknown => runInContext(line, context) };
  }

  it('does nothing for values that cannot be promises', () => {
    const { counts, run } = realm();
    run('Promise.all(Array(50).fill("text"))');
    const { thens } = counts;
    run('Promise.all(Array(50).fill({}))');
    expect([thens, counts.thens - thens]).toEqual([50, 100]);
  });

  it('does not read a long function each time', () => {
    const { counts, run } = realm();
    const { texts } = counts;
    run('const long = (x) => x; const one = Promise.resolve(1); for (let i = 0; i < 100; i++) one.then(long)');
    expect(counts.texts - texts).toBe(1);
  });
});
