import { describe, expect, it } from 'vitest';
import { bench, sharedBench } from '../test/bench-of-blocks.ts';

const table = sharedBench();
const HINT = 'Not awaited: read("a"). Write (await read("a")).';

describe('a call whose answer nobody asks for', () => {
  it.each([
    ['read("a").split("\\n")', `TypeError: not a function\n  at line 1\n${HINT}`],
    ['`${read("a")}`', `[object Promise]\n${HINT}`],
    ['read("a").length', HINT],
    ['console.log(read("a"))', `Promise { <pending> }\n${HINT}`],
    [
      '["a", "a"].map((one) => source.read(one)).length',
      '2\nNot awaited: source.read("a"). Write (await source.read("a")).',
    ],
    ['source(); 1', '1\nNot awaited: source(). Write await source().'],
    [
      'write("a", "b").length.x',
      'TypeError: cannot read property \'x\' of undefined\n  at line 1\nNot awaited: write("a", "b"). Write (await write("a", "b")).',
    ],
    [
      'for (const one of "abcde") read(one)',
      [
        ...['a', 'b', 'c'].map((one) => `Not awaited: read("${one}"). Write (await read("${one}")).`),
        'Not awaited: 2 more',
      ].join('\n'),
    ],
  ])('is told after %s', async (code, output) => {
    expect(await table.run(code)).toBe(output);
  });

  it('is named in short when it is long, with what can be typed', async () => {
    expect(await bench().run('read("x".repeat(200)); 1')).toMatch(
      /^1\nNot awaited: read\("x+…\)\. Write \(await read\(…\)\)\.$/,
    );
  });

  it('stands beside what failed, and not twice', async () => {
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
  ])('is not told after %s', async (code) => {
    expect(await table.run(code)).toBe('1');
  });

  it('is not told of again where the error tells it', async () => {
    expect(await bench().run('await write("a", read("b"))')).toBe(
      'TypeError: argument 2 is a promise: put await before it\n  at line 1',
    );
  });

  it('is not told of the last value, nor of a write before another failure', async () => {
    const { run } = bench();
    expect(await run('read("a")')).toBe('text of a');
    expect(await run('write("a", "b"); throw new Error("other")')).toBe('Error: other\n  at line 1');
    expect(await run('1')).toBe('1');
  });

  it('is told whatever became of the language', async () => {
    const { run } = bench();
    await run('WeakMap.prototype.get = () => 1; Promise.prototype.constructor = Object; 1');
    expect(await run('read("a"); 1')).toBe(`1\n${HINT}`);
    expect(await run('await read("a"); 1')).toBe('1');
  });
});
