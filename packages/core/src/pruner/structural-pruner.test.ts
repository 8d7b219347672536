import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countUnits } from '../text-size/text-size.ts';
import { structuralPruner } from './structural-pruner.ts';

const pruneText = (text: string, cap = 2000) => structuralPruner.prune(text, { cap, ref: 'result:1' }).text;
const withoutNotice = (text: string) => text.slice(0, text.lastIndexOf('\n'));
const rows = (count: number, row: (index: number) => string) => Array.from({ length: count }, (_, index) => row(index));

describe('JSON that is cut', () => {
  it('stays JSON, with its first and last elements and the number of the others', () => {
    const pruned = pruneText(
      JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `user ${id}`, note: 'x'.repeat(50) }))),
    );
    const value = JSON.parse(withoutNotice(pruned)) as unknown[];
    expect(value[0]).toMatchObject({ id: 0, name: 'user 0' });
    expect(value.at(-1)).toMatchObject({ id: 199 });
    expect(value.some((element) => /^… \d+ more$/.test(String(element)))).toBe(true);
    expect(pruned).toMatch(/\n\[pruned: \d+ chars of JSON, shortened; full: <R:result:1>\]$/);
  });

  it('loses depth last, and keeps the order of its keys', () => {
    const deep = { z: { a: { b: { c: 'x'.repeat(3000) } } }, y: rows(300, () => 'word'), x: 1 };
    const value = JSON.parse(withoutNotice(pruneText(JSON.stringify(deep)))) as object;
    expect(Object.keys(value)).toEqual(['z', 'y', 'x']);
    const wide = Object.fromEntries(
      rows(40, (index) => `k${index}`).map((key) => [key, { inner: { more: 'text '.repeat(20) } }]),
    );
    expect(withoutNotice(pruneText(JSON.stringify(wide)))).toContain('{"…":"1 key"}');
  });

  it('is JSON for any value and any cap that leaves room', () => {
    const property = fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 150, max: 2500 }), (value, cap) => {
      const text = JSON.stringify({ value, rest: [value, value, value] });
      const pruned = pruneText(text, cap);
      expect(countUnits(pruned)).toBeLessThanOrEqual(cap);
      if (pruned !== text) expect(() => JSON.parse(withoutNotice(pruned))).not.toThrow();
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe('code that is cut', () => {
  const code = rows(60, (index) =>
    [
      `export function step${index}(value: number): number {`,
      `  const next = value + ${index};`,
      '  return next;',
      '}',
    ].join('\n'),
  ).join('\n');

  it('keeps its declarations with their line numbers', () => {
    const pruned = pruneText(code).split('\n');
    expect(pruned[0]).toBe('1: export function step0(value: number): number {');
    expect(pruned[1]).toBe('5: export function step1(value: number): number {');
    expect(pruned.some((line) => line.includes('return next'))).toBe(false);
  });

  it('has room for bodies when there are few declarations', () => {
    const long = ['class A {', '  run() {', ...rows(200, (index) => `    work(${index});`), '  }', '}'].join('\n');
    expect(pruneText(long)).toContain('3:     work(0);');
  });

  it.each([
    ['Python', 'import os\n', (n: number) => `def step_${n}(value):\n    # adds\n    return value + ${n}\n`],
    ['Go', 'package main\n', (n: number) => `func Step${n}(v int) int {\n\treturn v + ${n}\n}\n`],
    ['C', '#include <stdio.h>\n', (n: number) => `static int step_${n}(int v)\n{\n\treturn v + ${n};\n}\n`],
    ['Rust', 'use std::fs;\n', (n: number) => `pub fn step_${n}(v: u32) -> u32 {\n    v + ${n}\n}\n`],
  ])('is recognised: %s', (_language, head, step) => {
    expect(pruneText(head + rows(80, step).join('\n'))).toMatch(/^\d+: .*\b[sS]tep_?0\b/m);
  });
});

describe('a log that is cut', () => {
  it('keeps the sums of a test run behind the verdicts on its files', () => {
    const name = (n: number) => n.toString(5).replaceAll(/\d/g, (digit) => 'abcde'.charAt(Number(digit)));
    const verdicts = Array.from({ length: 60 }, (_, n) => ` ✓ test/na/${name(n)}.spec.ts  (${n} tests) ${n}ms`);
    const sums = [' Test Files  60 passed (60)', '      Tests  324 passed (324)', '   Duration  31.15s'];
    const { text } = structuralPruner.prune(['> vitest run', '', ...verdicts, '', ...sums].join('\n'), {
      format: 'log',
      cap: 1200,
    });
    for (const sum of sums) expect(text).toContain(sum);
  });

  const noise = (index: number) =>
    `2026-11-23 10:00:${String(index % 60).padStart(2, '0')} INFO request ${index} served in ${index % 17} ms`;
  const errors = [
    '2026-11-23 10:01:00 ERROR cannot open /var/lib/a.db: permission denied',
    '2026-11-23 10:02:00 ERROR worker 3 died: out of memory',
    '2026-11-23 10:03:00 FATAL giving up after 5 tries',
  ];
  const log = [
    ...rows(300, noise),
    errors[0],
    ...rows(300, noise),
    ...rows(50, (index) => errors[1]!.replace('02:00', `02:${10 + index}`)),
    ...rows(300, noise),
    errors[2],
    ...rows(100, noise),
    '3 errors, 947 requests',
  ].join('\n');

  it('keeps the first error of every kind, what stands around it, and the last line', () => {
    const pruned = pruneText(log);
    expect(pruned).toContain(errors[0]);
    expect(pruned).toContain(errors[1]!.slice(25));
    expect(pruned).toContain(errors[2]);
    expect(pruned).toContain('3 errors, 947 requests');
    expect(pruned).toContain(noise(299));
    expect(pruned).toMatch(/^… lines \d+-\d+$/m);
  });

  it('counts lines that differ in their time only', () => {
    expect(pruneText(log)).toContain('worker 3 died: out of memory [×50]');
  });

  it('keeps every first error when there are many', () => {
    const kinds = rows(12, (index) => `ERROR ${'abcdefghijkl'[index]!.repeat(3)} has failed: ${'detail '.repeat(30)}`);
    const pruned = pruneText(kinds.flatMap((kind) => [...rows(40, noise), kind]).join('\n'));
    for (const kind of kinds) expect(pruned).toContain(kind.slice(0, 40));
  });

  it('prefers frames of its own code to those of libraries', () => {
    const trace = [
      'Error: boom',
      '    at run (/app/src/a.ts:3:1)',
      ...rows(80, (index) => `    at f${'x'.repeat(index % 7)} (/app/node_modules/lib/b.js:${index}:1)`),
      '    at main (/app/src/main.ts:9:1)',
    ];
    const pruned = pruneText(trace.join('\n'));
    expect(pruned).toContain('Error: boom');
    expect(pruned).toContain('src/a.ts:3:1');
    expect(pruned).toContain('src/main.ts:9:1');
  });

  it.each([
    [
      'mocha',
      (n: number) =>
        `  ${n}) errors in front matter\n       should be named in case ${n}:\n\n      AssertionError: no\n\n      + expected - actual\n\n      -false\n      +true\n      \n      at Context.<anonymous> (test/a.js:${n}7:5)\n      at node:internal/timers:483:21\n`,
    ],
    [
      'jest',
      (n: number) =>
        `  ● math › named in case ${n}\n\n    expect(received).toBe(expected)\n\n    Expected: 1\n    Received: 2\n\n      at Object.<anonymous> (test/a.js:${n}7:5)\n      at run (node_modules/jest/x.js:1:1)\n`,
    ],
  ])('names each failure of a run of %s, and its place', (_, failure) => {
    const rows = Array.from({ length: 200 }, (_row, n) => `    ✔ finds errors in case ${n}`);
    const failures = Array.from({ length: 6 }, (_failure, n) => failure(n + 1));
    const text = ['> a@1.0.0 test', ...rows, '  200 passing (412ms)', '  6 failing', '', ...failures].join('\n');
    const { text: short } = structuralPruner.prune(text, { format: 'log' });
    for (const n of [1, 2, 3, 4, 5, 6]) {
      expect(short).toContain(`named in case ${n}`);
      expect(short).toContain(`(test/a.js:${n}7:5)`);
    }
  });

  it.each([
    ['TAP', (n: number) => `ok ${n} - does what ${n} says`, '# tests 300\n# pass 300\n# fail 0'],
    ['mocha', (n: number) => `    ✓ does what ${n} says`, '  300 passing (2s)\n  8 pending'],
    [
      'tap-spec',
      (n: number) => `    ✔ has error ${n} in the message`,
      '  total:  300\n  passing:  300\n  duration:  40.6s',
    ],
    [
      'vitest',
      (n: number) => ` ✓ src/a${n}.test.ts (3 tests)`,
      ' Test Files  300 passed (300)\n      Tests  900 passed (900)',
    ],
  ])('tells of a success by its totals and its end: %s', (_, row, totals) => {
    const rows = Array.from({ length: 300 }, (_row, index) => row(index + 1));
    const { text: short } = structuralPruner.prune(['> a@1.0.0 test', ...rows, totals].join('\n'), { format: 'log' });
    expect(short).toContain(totals);
    expect(short.split('\n').length).toBeLessThan(20);
    const failed = structuralPruner.prune(['> a@1.0.0 test', ...rows, 'not ok 301 - x', totals].join('\n'), {
      format: 'log',
    });
    expect(failed.text).toContain('not ok 301 - x');
  });

  it.each([
    ['TAP', '#', (n: number) => `    ok ${n} - inner\nok ${n} - does what ${n} says`],
    ['for people', 'ℹ', (n: number) => `✔ does what ${n} says (0.${n}ms)`],
  ])('keeps the totals of node above a table of coverage, without tests and traces: %s', (_, mark, row) => {
    const totals = [`${mark} tests 300`, `${mark} pass 300`, `${mark} fail 0`];
    const trace = [
      '  Trace: deprecated',
      '      at warn (file:///p/warn.js:8:15)',
      '      at set (file:///p/set.js:2:1)',
    ];
    const verdicts = rows(300, row);
    const files = rows(60, (index) => `file-${index}.js | 100 | 100 | 100 | 100 |`);
    const coverage = [
      'File | % Stmts | % Branch | % Funcs | % Lines |',
      'All files | 100 | 100 | 100 | 100 |',
      ...files,
    ];
    const output = ['> p@1.0.0 unit', ...verdicts, ...trace, ...totals, ...coverage, 'the end'];
    const { text: short } = structuralPruner.prune(output.join('\n'), { format: 'log' });
    for (const line of [...totals, coverage[1]!]) expect(short.split('\n')).toContain(line);
    expect(short).not.toMatch(/says|\bat (?:warn|set)\b/);
  });

  it('explains failures rather than naming the tests that passed beside them', () => {
    const tests = rows(
      200,
      (index) => `  ✔ ${'abcdefgh'[index % 8]!.repeat(9)} ${'hgfedcb'[index % 7]!.repeat(9 + index / 9)}`,
    );
    tests.splice(90, 0, '  ✘ [fail]: divides by zero');
    const details = [
      '',
      '  divides by zero',
      '',
      '  test/divide.js:7',
      '',
      '   7: t.is(divide(1, 0), 0)',
      '',
      '  Infinity',
    ];
    const output = ['> ava', ...tests, '', '  ─', ...details, '', '  ─', '', '  1 test failed'].join('\n');
    const { text: short } = structuralPruner.prune(output, { format: 'log' });
    for (const line of details) expect(short.split('\n')).toContain(line);
  });

  it('is not empty where nothing but tests that passed is in it', () => {
    for (const row of [
      (n: number) => ` ✓ src/a${n}.test.ts (2 tests) 3ms`,
      (n: number) => `PASS src/m${n}.test.js (5 tests)`,
    ]) {
      const { text: short } = structuralPruner.prune(rows(300, row).join('\n'), { format: 'log' });
      expect(short).toContain(row(0));
      expect(short).toContain(row(299));
    }
  });

  it('keeps an error without a name, and the last line in any script', () => {
    const output = [
      'start',
      'Error:',
      '  cannot open the display',
      ...rows(300, (n) => `row ${n} of many`),
      'Tests:  5 passed',
    ];
    expect(structuralPruner.prune(output.join('\n'), { format: 'log' }).text).toContain('Error:\n  cannot open');
    const { text: short } = structuralPruner.prune([...rows(300, (n) => `INFO row ${n} of many`), '完了'].join('\n'), {
      format: 'log',
    });
    expect(short).toContain('完了');
  });

  it('tells of a success of unittest without the tests that are named for errors', () => {
    const tests = rows(400, (n) => `test_error_${'abcdefgh'[n % 8]} (tests.test_more.Exception${n}.test_error) ... ok`);
    const output = ['> python -m unittest', ...tests, '', '-'.repeat(70), 'Ran 400 tests in 1.2s', '', 'OK'].join('\n');
    const { text: short } = structuralPruner.prune(output, { format: 'log' });
    expect(short).toContain('Ran 400 tests in 1.2s');
    expect(short).not.toContain('Exception3.test');
  });

  it('names some of very many failures readably, and the errors below them', () => {
    const words = ['events', 'are sent', 'to listeners', 'of every name', 'in order', 'after the first', 'has ended'];
    const title = (index: number) => rows(12, (at) => words[(index * at + index) % 7]!).join(' ');
    const failed = rows(100, (index) => `  ✘ [fail]: ${words[index % 7]} ${title(index)}`);
    const workers = rows(
      30,
      (index) => `Error: no worker for tests/${'klmnop'[index % 6]!.repeat(index + 1)}.test.ts.`,
    );
    const errors = ['  TypeError: results.values(...).filter is not a function', 'Caused by: RangeError: too deep'];
    const output = ['> ava', ...failed, ...workers, ...errors, '', '  100 tests failed'].join('\n');
    const { text: short } = structuralPruner.prune(output, { format: 'log' });
    for (const line of [...errors, workers[0]!, '  100 tests failed']) expect(short).toContain(line);
    expect(short).toContain(failed[0]!.slice(0, 60));
    expect(short).not.toContain(workers[9]!);
  });

  it('keeps the reasons below a failed test in TAP, not where its stack begins', () => {
    const noise = [
      '      stack: >-',
      '        Error:',
      '        Object.run (run.js:1:1)',
      '      name: Error',
      '      compare: ===',
    ];
    const reason = (index: number) => [
      '      diff: |',
      '        --- expected',
      '        +++ actual',
      `        -1.0.${index}-0`,
      '        +1.0.0',
    ];
    const test = (index: number) => [
      `    not ok ${index} - clamps ${index}`,
      '      ---',
      ...noise,
      ...noise,
      ...reason(index),
      '      ...',
    ];
    const passed = rows(300, (index) => `    ok ${index + 9} - adds ${index}`);
    const output = ['TAP version 13', ...[1, 2].flatMap(test), ...passed, '# failed 2 of 302 tests'].join('\n');
    const { text: short } = structuralPruner.prune(output, { cap: 900 });
    expect(short).toContain('-1.0.1-0');
    expect(short).toContain('-1.0.2-0');
  });

  it('tells once why tests failed in TAP, and nothing of what they or others printed', () => {
    const failed = (index: number) => [
      `        # Subtest: throws on ${index}`,
      `        not ok ${index} - throws on ${index}`,
      '          ---',
      '          duration_ms: 3.1',
      `          location: '/home/me/project/test/redirect.test.js:${index}:7'`,
      "          failureType: 'testCodeFailure'",
      '          error: |-',
      '            Expected values to be strictly equal:',
      '            ',
      '            undefined !== 404',
      '            ',
      "          code: 'ERR_ASSERTION'",
      '          expected: 404',
      '          stack: |-',
      '            TestContext.<anonymous> (/home/me/project/test/redirect.test.js:150:16)',
      '            Test.run (node:internal/test_runner/test:796:25)',
      '          ...',
    ];
    const printed = rows(
      30,
      (index) => `#   Error: ${'abcdefghijklmnopqrstuvwxyzäöüß'[index]} explodes\n#       at a.js:1:1`,
    );
    const passed = rows(300, (index) => `    ok ${index} - adds ${index}`);
    const above = ['    not ok 2 - with a status', '      ---', "      error: '4 subtests failed'", '      ...'];
    const failures = [...Array(4).keys()].flatMap(failed);
    const output = ['TAP version 13', ...printed, ...passed, ...failures, ...above, '# pass 300', '# fail 5'].join(
      '\n',
    );
    const { text: short } = structuralPruner.prune(output, { cap: 1600 });
    for (const reason of ['undefined !== 404', 'redirect.test.js:150:16', 'redirect.test.js:0:7'])
      expect(short.split(reason)).toHaveLength(2);
    expect(short).toContain('not ok 3 - throws on 3');
    expect(short).not.toContain('explodes');
    expect(short).not.toContain('subtests failed');
    const many = ['TAP version 13', ...passed, ...[...Array(30).keys()].flatMap(failed), ...above, '# fail 31'];
    const { text: shorter } = structuralPruner.prune(many.join('\n'), { cap: 1600 });
    for (const line of ['undefined !== 404', 'not ok 5 - throws on 5', '# fail 31']) expect(shorter).toContain(line);
    expect(shorter).not.toContain('not ok 2 - with a status');
    expect(shorter).not.toContain('expected: 404');
  });

  it('is told by its totals when the program has succeeded, whatever its tests are about', () => {
    const tests = rows(300, (index) => `    when error ${'abcdefghij'[index % 10]} occurs\n      ✔ should ${index}`);
    const output = ['> a@1.0.0 test', ...tests, '', '  300 passing (2s)', '  4 pending'].join('\n');
    const { text: short } = structuralPruner.prune(output, { format: 'log', succeeded: true });
    expect(short).toContain('  300 passing (2s)\n  4 pending');
    expect(short).not.toContain('occurs');
    expect(structuralPruner.prune(output, { format: 'log' }).text).toContain('occurs');
    const failed = output.replace('4 pending', '4 problems (4 errors)');
    expect(structuralPruner.prune(failed, { format: 'log', succeeded: true }).text).toContain('occurs');
  });

  it('keeps what a program printed that failed as a whole, in TAP', () => {
    const passed = rows(
      300,
      (index) => `# ${'abcdefghij'[index % 10]!.repeat(index)}\n    ok ${index} - adds ${index}`,
    );
    const failed = ['not ok 3 - a.test.js', '  ---', '  exitCode: 1', "  error: 'test failed'", '  ...'];
    const printed = ['# a.test.js:3', '# const = 1', "# SyntaxError: Unexpected token '='"];
    const output = ['TAP version 13', ...passed, ...printed, ...failed, ...passed, '# pass 300', '# fail 1'].join('\n');
    const { text: short } = structuralPruner.prune(output, { cap: 600 });
    for (const line of printed) expect(short).toContain(line);
  });

  it('keeps the spaces that may be what differs', () => {
    const failure = [
      "E       AssertionError: assert 'a as b' == 'a    as b'",
      'E         -     b as c',
      'E         ? ---',
      'E         +   b as c',
      '-      old',
      '+   new',
      'expected `a    b`',
    ];
    const lines = rows(400, (row) => `name${row}     size${row * 7}     owner${row % 3}`);
    const { text } = structuralPruner.prune(['3 failed', ...failure, ...lines, ...failure].join('\n'), {
      format: 'log',
      cap: 2000,
    });
    expect(text).toContain("E  AssertionError: assert 'a as b' == 'a    as b'");
    expect(text).toContain('E  -     b as c\nE  ? ---\nE  +   b as c\n');
    expect(text).toContain('-      old\n+   new\nexpected `a    b`');
  });

  it('loses the wide gaps between its columns before any row', () => {
    const rows = Array.from(
      { length: 18 },
      (_, at) => `  ✖  ${at + 300}:1   ${`Unexpected ${'very '.repeat(at % 4)}var.`.padEnd(110)}  no-var-${at}`,
    );
    const text = ['FAILED lint (exit code 1)', ...rows, '', '  18 errors'].join('\n');
    const { text: short } = structuralPruner.prune(text, { format: 'log', ref: 'result:1' });
    expect(short.split('\n').slice(0, 2)).toEqual([
      'FAILED lint (exit code 1)',
      '  ✖  300:1  Unexpected var.  no-var-0',
    ]);
    expect(short.match(/no-var-\d+/g)).toHaveLength(18);
    expect(short).toMatch(/\n\[pruned: spaces between columns; full: <R:result:1>\]$/);
  });

  it('keeps the gaps in code, whose marks stand below it', () => {
    const frame = ['  12 |   const a =   1;', '     |             ^', '13     let   b', '       ~~~'];
    const text = [...frame, ...Array.from({ length: 300 }, (_, at) => `row ${at}      of a log`), 'error: end'].join(
      '\n',
    );
    const lines = structuralPruner.prune(text, { format: 'log' }).text.split('\n');
    expect(lines.slice(0, 1)).toEqual(['  12 |   const a =   1;']);
    expect(lines).toContain('row 0  of a log');
  });

  it('loses its colours first', () => {
    const coloured = rows(45, (index) => `\u001b[32m✓\u001b[39m test ${index} \u001b[2m3ms\u001b[22m`).join('\n');
    const pruned = pruneText(coloured);
    expect(pruned).not.toContain('\u001b');
    expect(pruned).toContain('✓ test 44 3ms\n[pruned: colours; full: <R:result:1>]');
  });
});

describe('the output of a test runner that is cut', () => {
  it('keeps the results of files before those of the tests in them', () => {
    const file = (name: number) => [
      `# Subtest: tests/test-${name}.js`,
      ...rows(40, (test) => `    ok ${test} - is ${'abcdefgh'[test % 8]!.repeat(1 + (test % 5))} of file ${name}`),
      '    1..40',
      `ok ${name} - tests/test-${'abcdefgh'[name]!.repeat(3)}.js # time=${name}ms`,
    ];
    const pruned = pruneText(
      Array.from({ length: 7 }, (_, name) => file(name))
        .flat()
        .join('\n'),
    );
    for (const name of rows(7, String)) expect(pruned).toMatch(new RegExp(`^ok ${name} - tests/`, 'm'));
  });

  it('keeps the names of the failed tests that pytest lists at its end, however long their errors are', () => {
    const names = rows(11, (index) => `tests/test_cart.py::test_${'abcdefghijklmn'[index]!.repeat(6)}`);
    const failure = (name: string) => [
      `____ ${name} ____`,
      'def test():',
      '>       assert len(cart) == 2',
      'E       AssertionError: assert 1 == 2',
      '',
      'tests/test_cart.py:7: AssertionError',
    ];
    const listed = (name: string) => [
      `FAILED ${name} - AssertionError: assert [1, 2,`,
      ...rows(8, (line) => `    ${line * 7},`),
      '  ]',
    ];
    const { text: pruned } = structuralPruner.prune(
      [
        '=== FAILURES ===',
        ...names.flatMap(failure),
        '=========== short test summary info ===========',
        ...names.flatMap(listed),
        '=========== 11 failed in 0.12s ===========',
      ].join('\n'),
      { format: 'log' },
    );
    for (const name of names) expect(pruned).toContain(`FAILED ${name}`);
    expect(pruned).toContain('E  AssertionError: assert 1 == 2');
  });

  it('keeps the failures of pytest among hundreds of tests that all had the same error before they began', () => {
    const unset = rows(150, (index) => `test_${index % 2 === 0 ? 'get' : 'post'}_${'abcdefghij'[index % 10]!}${index}`);
    const setup = (name: string) => [
      `______ ERROR at setup of TestRequests.${name} ______`,
      'file /repo/tests/test_requests.py, line 195',
      '      @pytest.mark.parametrize("error", (ValueError("exception"), KeyError()))',
      `      def ${name}(self, httpbin, error):`,
      "E       fixture 'httpbin' not found",
      '',
    ];
    const { text: pruned } = structuralPruner.prune(
      [
        '=========== ERRORS ===========',
        ...unset.flatMap(setup),
        '=========== FAILURES ===========',
        '___________ test_timeout ___________',
        '        with pytest.raises(TimeoutError):',
        '>           connect()',
        'E           Failed: DID NOT RAISE TimeoutError',
        'tests/test_requests.py:2584: Failed',
        '----------- Captured log call -----------',
        '  error: no route to the host',
        '=========== short test summary info ===========',
        'FAILED tests/test_requests.py::test_timeout - Failed: DID NOT RAISE',
        ...unset.map((name) => `ERROR tests/test_requests.py::TestRequests::${name}`),
        '====== 1 failed, 421 passed, 150 errors in 52.96s ======',
      ].join('\n'),
      { format: 'log' },
    );
    expect(pruned).toContain("E  fixture 'httpbin' not found");
    expect(pruned).toContain('FAILED tests/test_requests.py::test_timeout');
    expect(pruned).toContain('Failed: DID NOT RAISE TimeoutError');
    expect(pruned).toContain('no route to the host');
    expect(pruned).toContain('1 failed, 421 passed, 150 errors');
    expect(pruned).not.toContain('parametrize');
    expect(pruned.match(/ERROR at setup/g)!.length).toBe(1);
  });

  it('keeps failed tests that pytest lists among many that had the same error', () => {
    const names = rows(60, (index) => `test_${'abcdefghij'[index % 10]!}_${'abcdefghij'[Math.floor(index / 10)]!}`);
    const listed = names.map((name) => `ERROR tests/test_requests.py::TestRequestsOverTheWire::${name} - no server`);
    const { text: pruned } = structuralPruner.prune(
      ['=== short test summary info ===', ...listed, 'FAILED tests/test_z.py::test_z - assert 1', '60 errors'].join(
        '\n',
      ),
      { format: 'log' },
    );
    expect(pruned).toContain('FAILED tests/test_z.py::test_z');
  });

  it('keeps verdicts before what only repeats them', () => {
    const words = ['reads', 'writes', 'parses', 'sorts', 'counts', 'merges', 'splits', 'joins'];
    const test = (index: number) => {
      const title = `${words[index % 8]} an error ${'abcdefgh'[Math.floor(index / 8)]!.repeat(4)}`;
      return `# Subtest: ${title}\nok ${index + 1} - ${title}\n  ---\n  duration_ms: ${index}.5\n  type: 'test'\n  ...`;
    };
    const failed = 'not ok 46 - takes';
    const pruned = pruneText(
      ['TAP version 13', ...rows(45, test), failed, '1..46', '# tests 46', '# pass 45', '# fail 1'].join('\n'),
    );
    const shown = pruned.split('\n');
    expect(shown.filter((line) => line.startsWith('ok ')).length).toBeGreaterThan(20);
    expect(shown.filter((line) => /^(?: {2}(?:---|\.\.\.|duration_ms)|# Subtest)/.test(line)).length).toBeLessThan(3);
  });

  it('keeps the command and the totals of each of several commands, whatever the others print', () => {
    const message = (index: number) =>
      `  ✖  95${index}:8  ${'abcdefgh'[index % 8]!.repeat(9)} may not follow ${index}.${' '.repeat(460)}`;
    const output = [
      '> lint && ava && tsd',
      ...rows(60, (test) => `  ✔ ${'abcdefgh'[test % 8]!.repeat(30)} ${test}`),
      '  22 tests passed',
      '',
      '  node_modules/types/http2.d.ts:952:8',
      ...rows(40, message),
      '  40 errors',
    ];
    const pruned = pruneText(output.join('\n'));
    for (const line of [output[0]!, '  22 tests passed', '  node_modules/types/http2.d.ts:952:8', '  40 errors'])
      expect(pruned.split('\n')).toContain(line);
    expect(pruned).not.toContain('chars]');
  });

  it('keeps the scripts that npm names and the total of coverage before tests that passed', () => {
    const test = (index: number) => [
      `ok ${index} - ${'abcdefgh'[index % 8]!.repeat(9)} of ${'hgfedcba'[index % 7]!.repeat(index % 20)}`,
      ...rows(6, (line) => `  ${'---'.repeat(line)} ${'klmnop'[line]!.repeat(12)}${index}`),
      `    ok ${index} - inner`,
    ];
    const scripts = ['lint', 'test:unit', 'test:types'].map((name) => `> fast@1.2.3-rc.1 ${name}`);
    const total = 'All files | 99.1 | 100 | 100 | 99.1 |';
    const output = [
      '> fast@1.2.3-rc.1 test',
      scripts[0]!,
      ...rows(20, (line) => `linted ${'abcd'[line % 4]!.repeat(line)}`),
      scripts[1]!,
      ...Array.from({ length: 120 }, (_, index) => test(index)).flat(),
      '# pass 120',
      total,
      scripts[2]!,
      ...rows(40, (line) => `typed ${'abcd'[line % 4]!.repeat(line)}`),
      '40 assertions',
    ];
    const { text: pruned } = structuralPruner.prune(output.join('\n'), { format: 'log' });
    for (const line of [...scripts, total]) expect(pruned.split('\n')).toContain(line);
  });

  it('keeps warnings, with the line above each, before tests that passed', () => {
    const warnings = [0, 1, 2, 3].flatMap((index) => [
      `  source/${'abcd'[index]!.repeat(6)}.js:7${index}:1`,
      `  ⚠  7${index}:1  Function ${'wxyz'[index]!.repeat(5)} is too long.`,
    ]);
    const tests = rows(
      200,
      (index) => `  ✔ ${'abcdefgh'[index % 8]!.repeat(9)} ${'hgfedcb'[index % 7]!.repeat(index % 30)}`,
    );
    const output = ['> xo && ava', '', ...warnings, '', '  4 warnings', ...tests, '', '  200 tests passed'];
    const { text: pruned } = structuralPruner.prune(output.join('\n'), { format: 'log' });
    for (const line of warnings) expect(pruned).toContain(line.trim().slice(-15));
  });

  it('has no mark where one short line or only blank lines are missing', () => {
    const kinds = Array.from(
      { length: 60 },
      (_, kind) => `INFO ${'abcdefghij'[kind % 10]!.repeat(9 + kind / 10)} ready`,
    );
    const pruned = pruneText(
      kinds.flatMap((kind) => [`2026-11-28 10:00:00 ${kind}`, kind.includes('e') ? 'done' : '']).join('\n'),
    );
    expect(pruned).toContain('ready\ndone\n');
    expect(pruned).not.toMatch(/^… line \d+$/m);
  });
});

describe('the output of code that is cut', () => {
  const table = (title: string, count: number) => [
    `## ${title}`,
    '',
    '| month | revenue | share |',
    '|---|---:|---:|',
    ...rows(count, (row) => `| 2026-${row + 1} | ${31_317.8 + row * 719.25} | ${(row * 7) / 100} |`),
    `| Total of ${title} | 1 | 100 |`,
    '',
  ];

  const cutPrinted = (lines: readonly string[]) =>
    structuralPruner.prune(lines.join('\n'), { cap: 2000, ref: 'result:1', format: 'printed' });

  it.each([
    ['a report', ['# Report', '', ...['Germany', 'France', 'Brazil'].flatMap((name) => table(name, 40))]],
    ['a log with errors', rows(400, (row) => `08:00:07 ${row === 200 ? 'ERROR disk is full' : 'INFO'} request ${row}`)],
    ['code', rows(400, (row) => (row % 9 === 0 ? `export function part${row}() {` : `  call(${row});`))],
    ['rows of a search', rows(400, (row) => `src/${row % 7}.ts:${row}: const found = ${row};`)],
    ['text below blank lines', ['', '', ...rows(400, (row) => `line ${row} of the text`)]],
  ])('is its beginning and its end, with one mark whose tag shows exactly the rest: %s', (_what, lines) => {
    const { text, report } = cutPrinted(lines);
    const shown = text.split('\n');
    const [mark = '', count, total, first, last] =
      /^\[… (\d+) of (\d+) lines left out: <R:result:1:(\d+)-(\d+)>\]$/m.exec(text) ?? [];
    const at = shown.indexOf(mark);
    const missing = lines.slice(Number(first) - 1, Number(last));
    expect(missing).toHaveLength(Number(count));
    const all = [...shown.slice(0, at), ...missing, ...shown.slice(at + 1)].join('\n');
    expect(all).toBe(lines.join('\n').trim());
    expect(all.split('\n')).toHaveLength(Number(total));
    expect(report?.indicator).toBe(mark);
    expect([at > shown.length / 2, at < shown.length - 5]).toEqual([true, true]);
  });

  it('has all that stands around many lines in a row that are alike', () => {
    const logged = rows(170, (row) => `2026-11-28T09:${row % 60}:15Z search-2 heap=39${row}MB gc=FULL 8.2s`);
    const before = rows(15, (row) => `percentile ${'abcdefghijklmnopqrstuvwxyz'[row]!} of the endpoint: p50=${row}`);
    const lines = [...before, ...logged, 'slow requests: 398'];
    const { text } = cutPrinted(lines);
    for (const line of [...before, ...logged.slice(0, 2), logged.at(-1)!, lines.at(-1)!]) expect(text).toContain(line);
    const [, count, first, last] = /^\[… (\d+) of 186 lines left out: <R:result:1:(\d+)-(\d+)>\]$/m.exec(text) ?? [];
    expect(Number(last) - Number(first) + 1).toBe(Number(count));
    expect(text.split('\n')).toHaveLength(186 - Number(count) + 1);
  });

  it('also says that lines were shortened', () => {
    const { text } = cutPrinted(['x'.repeat(900), ...rows(200, (row) => `row ${row} of the report`)]);
    expect(text).toMatch(/^x+… \[\+\d+ chars\]\n/);
    expect(text).toMatch(/\n\[… \d+ of 201 lines left out: <R:result:1:\d+-\d+>\]\n/);
    expect(text).toMatch(/\[pruned: 201 -> \d+ items, 1 long line clipped; full: <R:result:1>\]$/);
  });

  it('is a diff where it is a diff', () => {
    const hunk = (n: number) => [`@@ -${n},2 +${n},2 @@`, ` line ${n}`, '-old', '+new'].join('\n');
    const file = (name: string) => [`--- a/${name}`, `+++ b/${name}`, ...rows(90, hunk)];
    const diff = structuralPruner.prune([...file('one.ts'), ...file('two.ts'), ...file('three.ts')].join('\n'), {
      cap: 2000,
      format: 'printed',
    });
    for (const name of ['one', 'two', 'three']) expect(diff.text).toContain(`+++ b/${name}.ts`);
  });

  it('stays JSON where it is JSON', () => {
    const list = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, name: `article ${id}` })));
    const { text } = structuralPruner.prune(list, { cap: 2000, format: 'printed' });
    expect(() => JSON.parse(text.slice(0, text.lastIndexOf('\n['))) as unknown).not.toThrow();
  });
});

describe('a diff that is cut', () => {
  it('has whole hunks, not lines of all of them', () => {
    const hunk = (n: number) => [
      `@@ -${n * 20},6 +${n * 20},8 @@`,
      ` before ${n}`,
      `-old line ${n} of the function`,
      ...rows(4, (line) => `+new line ${line} of hunk ${n}, which is longer than the old one`),
      ` after ${n}`,
    ];
    const diff = [
      'diff --git a/a.ts b/a.ts',
      '--- a/a.ts',
      '+++ b/a.ts',
      ...Array.from({ length: 40 }, (_, n) => hunk(n)).flat(),
    ].join('\n');
    const shown = pruneText(diff);
    expect(shown).toContain(hunk(0).join('\n'));
    expect(shown).toContain(hunk(3).join('\n'));
    expect(shown.match(/^…/gm)!.length).toBeLessThanOrEqual(2);
  });

  const file = (name: string) =>
    [
      `diff --git a/${name} b/${name}`,
      'index 123..456 100644',
      `--- a/${name}`,
      `+++ b/${name}`,
      '@@ -1,3 +1,3 @@',
      ...rows(20, (index) => ` context ${index}`),
      `-old ${name}`,
      `+new ${name}`,
      ...rows(20, (index) => ` context ${index}`),
    ].join('\n');

  it('keeps the names of its files, then changed lines, then context', () => {
    const pruned = pruneText(rows(6, (index) => file(`src/file${index}.ts`)).join('\n'));
    for (const index of [0, 3, 5]) expect(pruned).toContain(`+++ b/src/file${index}.ts`);
    expect(pruned).toContain('+new src/file5.ts');
    const more = pruneText(rows(10, (index) => file(`src/file${index}.ts`)).join('\n'));
    expect(more.match(/^\+new/gm)!.length).toBeGreaterThanOrEqual(7);
  });
});

describe('a diff of many hunks that is cut', () => {
  it('keeps whole hunks, and cuts no gap that is shorter than its mark', () => {
    const hunk = (n: number) => [
      `@@ -${n * 50},7 +${n * 50},7 @@`,
      ` before ${n}`,
      ' ',
      ` near ${n}`,
      `-old ${n} with some words`,
      `+new ${n} with other words`,
      ` after ${n}`,
    ];
    const hunks = Array.from({ length: 45 }, (_, n) => hunk(n));
    const diff = ['diff --git a/a.ts b/a.ts', '--- a/a.ts', '+++ b/a.ts', ...hunks.flat()];
    const pruned = pruneText(diff.join('\n'));
    const shown = hunks.filter((lines) => pruned.includes(lines.join('\n'))).length;
    expect(shown).toBeGreaterThan(8);
    expect(pruned).toContain(hunks.slice(0, shown).flat().join('\n'));
    expect(pruned.split('\n').at(-1)).toMatch(/^\[pruned: 318 -> \d+ items; full: <R:result:1>\]$/);
    expect(pruned).not.toMatch(/^… line \d+$/m);
  });
});

describe('a table of values that is cut', () => {
  it('keeps its header and rows from both ends', () => {
    const table = ['id,name,price', ...rows(400, (id) => `${id},article ${id},${id}.50`)].join('\n');
    const pruned = pruneText(table).split('\n');
    expect(pruned[0]).toBe('id,name,price');
    expect(pruned[1]).toBe('0,article 0,0.50');
    expect(pruned.at(-2)).toBe('399,article 399,399.50');
    expect(pruned.some((line) => /^… lines \d+-\d+$/.test(line))).toBe(true);
  });
});

describe('a page of HTML that is cut', () => {
  const page = (body: string) =>
    `<!doctype html><html><head><title>T</title><style>p{}</style></head><body>${body}</body></html>`;

  it('becomes text', () => {
    const pruned = pruneText(
      page(`<script>${'x();'.repeat(600)}</script><h2>News</h2><p>One &amp; two</p><ul><li>a<li>b</ul>`),
    );
    expect(pruned).toMatch(
      /^## News\n\nOne & two\n\n- a\n- b\n\[pruned: \d+ chars of HTML -> text; full: <R:result:1>\]$/,
    );
  });

  it('takes time in proportion to it, also when no element has an end', () => {
    expect(countUnits(pruneText(`<html>${'<script><style><svg><!-- '.repeat(40_000)}`))).toBeLessThanOrEqual(2000);
  });
});

describe('any text that is cut', () => {
  // In proportion to its square, each would take longer than a test may.
  it.each([
    ['a listed test without an end', 'log', `=== short test summary info ===\nFAILED ${'a'.repeat(500_000)}.`],
    ['blanks before a word', 'log', `${' '.repeat(500_000)}x`],
    ['blanks before a word', 'markdown', `${' '.repeat(500_000)}x`],
  ] as const)('takes time in proportion to %s, as %s', (_what, format, text) => {
    const lines = `${text}\n${'x y z\n'.repeat(500)}`;
    expect(countUnits(structuralPruner.prune(lines, { format, ref: 'result:1' }).text)).toBeLessThanOrEqual(2000);
  });

  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      'ERROR: x',
      '    at f (a.js:1:2)',
      '@@ -1 +1 @@',
      '+++ b/x',
      'function f() {',
      '}',
      'a,b,c',
      '<p>',
      '{"a":',
      '# x',
      '',
    ),
  );
  const text = fc.array(piece, { maxLength: 80 }).map((pieces) => `${pieces.join('\n')}\n`.repeat(3));

  it('stays within the cap, and is left alone the second time', () => {
    const property = fc.property(text, fc.integer({ min: 0, max: 1500 }), (source, cap) => {
      const once = pruneText(source, cap);
      expect(countUnits(once)).toBeLessThanOrEqual(cap);
      expect(pruneText(once, cap)).toBe(once);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('has lines of the text only, in their order', () => {
    const log = rows(300, (index) => `2026-11-23 10:00:00 INFO ${'abcdefghij'[index % 10]} step ${index}`);
    const kept = pruneText(log.join('\n'))
      .split('\n')
      .filter((line) => log.includes(line));
    expect(kept.length).toBeGreaterThan(10);
    expect(kept).toEqual(kept.toSorted((a, b) => log.indexOf(a) - log.indexOf(b)));
  });

  it('that is plain by its tool is cut as lists are', () => {
    const text = rows(300, (index) => `{"row": ${index}}`).join('\n');
    expect(structuralPruner.prune(text, { format: 'plain' }).text).toContain('[pruned: 300 -> ');
  });
});

describe('a text with more that matters than fits', () => {
  const log = (count: number, errors: readonly string[]) =>
    rows(count, (index) => {
      const error = errors[(index - count / (2 * errors.length)) / (count / errors.length)];
      const time = `2026-11-29 10:${String(index % 60).padStart(2, '0')}:07`;
      return error === undefined ? `${time} INFO request ${index} served` : `${time} ERROR ${error}`;
    }).join('\n');
  const errors = 'a b c d e f g h i j k l m n o'
    .split(' ')
    .map((letter) => `${letter.repeat(5)} is lost: code ${letter}`);

  it('keeps every first error of a long log, with line numbers instead of gaps and times', () => {
    const pruned = pruneText(log(3000, errors));
    for (const error of errors) expect(pruned).toContain(`ERROR ${error}`);
    expect(pruned).toMatch(/^101: ERROR aaaaa is lost: code a$/m);
  });

  it('keeps a change of every file of a diff', () => {
    const file = (index: number) =>
      [
        `diff --git a/src/part/file-${index}.ts b/src/part/file-${index}.ts`,
        `--- a/src/part/file-${index}.ts`,
        `+++ b/src/part/file-${index}.ts`,
        '@@ -1,3 +1,3 @@ function compute() {',
        ' before',
        `-  const old${index} = compute(${index});`,
        `+  const new${index} = compute(${index}, true);`,
        ' after',
      ].join('\n');
    const pruned = pruneText(rows(27, file).join('\n'));
    for (let index = 0; index < 27; index++)
      expect(pruned).toMatch(new RegExp(`^file-${index}.ts$[^]*^\\+const new${index} `, 'm'));
  });
});
