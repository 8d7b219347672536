import { describe, expect, it } from 'vitest';
import { bench, sharedBench } from '../../test/bench-of-blocks.ts';

const table = sharedBench();

describe('console', () => {
  it.each([
    ['console.log("a", { b: 1 }, [2])', 'a { b: 1 } [2]'],
    ['console.table([1]); console.warn(); console.error(null)', '[1]\n\nnull'],
    [
      'console.group("one"); console.log("a\\nb"); console.groupCollapsed(); console.log(1); console.groupEnd(); console.log(2); console.groupEnd(); console.groupEnd(); console.log(3)',
      'one\n  a\n  b\n    1\n  2\n3',
    ],
    [
      'console.assert(1 === 1, "no"); console.assert(1 === 2, "yes", { a: 2 }); console.assert()',
      'Assertion failed: yes { a: 2 }\nAssertion failed',
    ],
    ['console.timeEnd("never"); console.timeLog()', 'never: was never begun\ndefault: was never begun'],
    [
      'console.count(); console.count(); console.count("toString"); console.countReset(); console.count()',
      'default: 1\ndefault: 2\ntoString: 1\ndefault: 1',
    ],
    ['console.timeEnd("toString")', 'toString: was never begun'],
  ])('%s prints %s', async (code, output) => {
    expect(await table.run(code)).toBe(output);
  });

  it('prints the time between two lines, by the clock of the language', async () => {
    expect(
      await table.run('console.time("t"); console.timeLog("t", "so far"); console.timeEnd("t"); console.timeEnd("t")'),
    ).toMatch(/^t: \d+ ms so far\nt: \d+ ms\nt: was never begun$/);
    expect(await table.run('Date.now = () => 5; console.time(); Date.now = () => 7; console.timeEnd()')).toMatch(
      /^default: \d+ ms$/,
    );
  });

  it('begins every block outside of any group', async () => {
    const { run } = bench();
    await run('console.group("a"); throw 1');
    expect(await run('console.log("after")')).toBe('after');
  });

  it('prints whatever code has done to the language, and indents only so far', async () => {
    const { run } = bench();
    await run(
      'String = Array.prototype.push = String.prototype.slice = () => 0; Array.prototype[Symbol.iterator] = () => 0',
    );
    expect(await run('console.log("a", [1]); console.assert(false, "b", 2)')).toBe('a [1]\nAssertion failed: b 2');
    expect(await run('for (let i = 0; i < 1e4; i++) console.group()\nconsole.log("in")')).toBe(`${' '.repeat(40)}in`);
  });
});
