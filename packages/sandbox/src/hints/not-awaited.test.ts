import { describe, expect, it } from 'vitest';
import { bench, firstLine, sharedBench, stopClock } from '../../test/bench-of-blocks.ts';
import type { NotAwaited } from '../messages.ts';
import { describeNotAwaited } from './not-awaited.ts';

const table = sharedBench();
const HINT = 'Not awaited: read("a"). Write (await read("a")).';

describe('a call whose result nothing reads', () => {
  it.each([
    ['read("a").split("\\n")', `TypeError: not a function\n  at line 1\n${HINT}`],
    ['`${read("a")}`', `[object Promise]\n${HINT}`],
    ['read("a").length', HINT],
    ['console.log(read("a"))', `Promise { <pending> }\n${HINT}`],
    [
      '["a", "b"].map((one) => source.read(one)).length',
      '2\nNot awaited: 2 calls of source.read. Write await Promise.all(list.map((one) => source.read(one))).',
    ],
    ['source(); 1', '1\nNot awaited: source(). Write await source().'],
    [
      'write("a", "b").length.x',
      'TypeError: cannot read property \'x\' of undefined\n  at line 1\nNot awaited: write("a", "b"), which ran anyway.',
    ],
    [
      'read("a"); source.read("a"); source(); home(); 1',
      [
        '1',
        HINT,
        'Not awaited: source.read("a"). Write (await source.read("a")).',
        'Not awaited: source(). Write await source().',
        'Not awaited: calls of 1 more',
      ].join('\n'),
    ],
  ])('is reported after %s', async (code, output) => {
    expect(await table.run(code)).toBe(output);
  });

  it('is shortened when it is long, with what can be typed', async () => {
    expect(await bench().run('read("x".repeat(200)); 1')).toMatch(
      /^1\nNot awaited: read\("x+…\)\. Write \(await read\(…\)\)\.$/,
    );
  });

  it('is reported beside what failed, once', async () => {
    expect(await bench().run('read("missing"); read("a"); 1')).toBe(
      `1\nNot awaited: read("missing"): FileNotFoundError: missing. Did you mean x?\n${HINT}`,
    );
  });

  it.each([
    'await read("a"); 1',
    'const later = read("a"); await later; 1',
    'await read("a").then(() => 1)',
    'read("a").catch(() => 0); 1',
    'read("a").finally(() => 0); 1',
    'await Promise.all([read("a"), read("b")]); 1',
    'await Promise.race([read("a"), read("b")]); 1',
    'await (async () => read("a"))(); 1',
    'async function* all() { yield read("a") }\nfor await (const one of all()) one\n1',
    'for await (const one of [read("a")]) one\n1',
    'await new Promise((ok) => ok(read("a"))); 1',
    'write("a", "b"); 1',
  ])('is not reported after %s', async (code) => {
    expect(await table.run(code)).toBe('1');
  });

  it('is not reported again where the error does so', async () => {
    expect(await bench().run('await write("a", read("b"))')).toBe(
      'TypeError: argument 2 is a promise: put await before it\n  at line 1',
    );
  });

  it('is not reported for the last value, nor for a write before another failure', async () => {
    const { run } = bench();
    expect(await run('read("a")')).toBe('text of a');
    expect(await run('write("a", "b"); throw new Error("other")')).toBe('Error: other\n  at line 1');
    expect(await run('1')).toBe('1');
  });

  it('is not reported where the code might have read it later', { tags: ['long'] }, async () => {
    expect(await bench().run('const one = read("a"); if (true) throw new Error("stop"); await one')).toBe(
      'Error: stop\n  at line 1',
    );
    const pass = stopClock();
    const { run } = bench({ timeoutMs: 100 });
    const running = firstLine();
    const ended = run('const one = read("a"); await read("b"); console.log("on"); while (true);');
    await running;
    pass(100);
    expect(await ended).toMatch(/^on\nTimeoutError: /);
    expect(await ended).not.toContain('Not awaited');
  });

  it('is not reported where a line continues the one before it', async () => {
    const told = 'Line 1 continues on line 2, which begins with a bracket: put a ; between them.';
    expect(await bench().run('const t = await read("a")\n(await grep("x", "y")).length')).toBe(
      `TypeError: not a function\n  at line 2\n${told}`,
    );
  });

  it('is not reported as joined lines where these are apart', async () => {
    expect(await bench().run('const t = await read("a");\n(1)()')).toBe('TypeError: not a function\n  at line 2');
  });

  it('is reported whatever code has done to the language', async () => {
    const { run } = bench();
    await run('WeakMap.prototype.get = () => 1; Promise.prototype.constructor = Object; 1');
    expect(await run('read("a"); 1')).toBe(`1\n${HINT}`);
    expect(await run('await read("a"); 1')).toBe('1');
  });
});

describe('a call whose result is read after the last line has run', () => {
  const late = (method: string) =>
    `returned after the last line had run: ${method} does not wait for async functions. Use for (const one of list) with await.`;

  it.each([
    [
      'let n = 0; ["a", "b"].forEach(async (one) => { n += (await read(one)).length }); n',
      `0\n2 calls ${late('forEach')}`,
    ],
    ['["a"].filter(async (one) => (await read(one)) === "").length', `1\n1 call ${late('filter')}`],
    [
      'let n = 0; ["a", "b"].forEach(async (one) => { await read(one); await write(one, "x"); n++ }); n',
      `0\n2 calls ${late('forEach')}`,
    ],
  ])('is reported after %s', async (code, output) => {
    expect(await table.run(code)).toBe(output);
  });

  it.each([
    ['let n = 0; for (const one of ["a", "b"]) n += (await read(one)).length; n', '18'],
    ['async function main() { return (await read("a")).length }\nmain()', '9'],
    ['async function main() { console.log((await read("a")).length) }\nawait main()', '9'],
    ['(async () => { console.log((await read("a")).length) })()', '9'],
    ['["a"].forEach(async (one) => { await write(one, "x") }); 1', '1'],
    ['await Promise.race(["a", "b"].map(async (one) => (await read(one)).length))', '9'],
    ['read("a").then(() => 0); 1', '1'],
    ['(await Promise.all(["a", "b"].map(async (one) => (await read(one)).length))).join()', '9,9'],
  ])('is not what %s makes', async (code, output) => {
    expect(await table.run(code)).toBe(output);
  });
});

const failRead = (call: number): string => `read("${call}"): PathError: no`;

/** What is said of errors that a block has left behind. */
function describeErrors(rest: NotAwaited, block: number, quoteFailure: (call: number) => string): readonly string[] {
  const calls = { quoteFailure, finished: [], getFinished: () => undefined };
  return describeNotAwaited(rest, { end: { state: 'done', value: undefined, cut: false }, code: '', block, calls });
}

describe('describeNotAwaited', () => {
  it('names the call, or the error with the line of the code', () => {
    const stack = '    at f (bae:1:1)\n    at g (block-2:7:1)\n';
    const first = [3, { name: 'TypeError', message: 'bad', stack }, { name: 'Error', message: 'text', stack: '' }];
    expect(describeErrors({ errors: first, count: 3 }, 2, failRead)).toEqual([
      'Not awaited: read("3"): PathError: no',
      'Not awaited: TypeError: bad\n  at g (line 7)',
      'Not awaited: Error: text',
    ]);
  });

  it('shortens long errors', () => {
    const one = { name: 'Error', message: 'x'.repeat(4000), stack: '    at g (block-2:7:1)\n' };
    expect(describeErrors({ errors: [one], count: 1 }, 2, failRead)[0]).toMatch(
      /^Not awaited: Error: x{280}…\n {2}at g \(line 7\)$/,
    );
    expect(describeErrors({ errors: [1], count: 1 }, 2, () => 'y'.repeat(4000))[0]).toHaveLength(301);
  });

  it('counts the errors that are left out', () => {
    expect(describeErrors({ errors: [1], count: 10 }, 1, failRead)).toEqual([
      'Not awaited: read("1"): PathError: no',
      'Not awaited: 9 more',
    ]);
    expect(describeErrors({ errors: [], count: 0 }, 1, failRead)).toEqual([]);
  });
});
