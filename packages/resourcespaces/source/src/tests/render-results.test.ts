import { describe, expect, it } from 'vitest';
import { renderFailures, renderTestModule, renderTotals } from './render-results.ts';
import { parseTap } from './parse-tap.ts';
import { parseMochaReport, type TestModuleResult } from './test-report.ts';

/** What ava 7 prints with --tap. */
const AVA = `TAP version 13
not ok 1 - pairs
  ---
    name: AssertionError
    assertion: deepEqual
    values:
      'Difference (- actual, + expected):': |2-
          [
            [
              0,
              2,
              3,
              4,
              5,
              6,
        -     undefined,
              1,
        +     2,
              3,
              4,
            ],
          ]
    at: 'file://src/pairs.test.js:4:5'
  ...
not ok 2 - throws
  ---
    name: AssertionError
    message: Error thrown in test
    values:
      'Error thrown in test:': |-
        TypeError {
          message: 'Cannot read properties of undefined (reading \\'map\\')',
        }
    at: |-
      map (file://node_modules/x/index.js:1:37)
      pairs (file://src/pairs.js:1:37)
      file://src/pairs.test.js:6:25
  ...

1..2
`;

/** What tape 5 prints. */
const TAPE = `TAP version 13
# lines
not ok 1 should be strictly equal
  ---
    operator: equal
    expected: 'a\\nc'
    actual:   'a\\nb'
    at: Test.<anonymous> (/p/src/pairs.test.js:2:125)
    stack: |-
      Error: should be strictly equal
          at Test.assert [as _assert] (/p/node_modules/tape/lib/test.js:548:48)
          at Test.<anonymous> (/p/src/pairs.test.js:2:125)
  ...

1..1
`;

const nameOf = (file: string): string =>
  file.startsWith('/p/src/') ? file.replace('/p/src/', '').replace(/\.js$/, '') : file;
const pathOf = (file: string): string | undefined => (file.startsWith('/p/src/') ? file.slice(3) : undefined);
const restOf = (name: string): string => `<results:${name}>`;

function renderTap(output: string, most?: number): string {
  const result = { ...parseTap(output, '/p/src/pairs.test.js')!, folder: '/p' };
  return renderFailures([result], { nameOf, pathOf, restOf, ...(most !== undefined && { most }) });
}

describe('a failure of ava', () => {
  it('is its message, the difference and the place, without the signs of the report', () => {
    expect(renderTap(AVA)).toBe(`pairs.test
  FAIL pairs
       AssertionError: deepEqual
       Difference (- actual, + expected):
       …
             5,
             6,
       -     undefined,
             1,
       +     2,
             3,
       … 9 more lines: <results:pairs.test>
       at src/pairs.test.js:4
  FAIL throws
       AssertionError: Error thrown in test
       Error thrown in test:
       TypeError {
         message: 'Cannot read properties of undefined (reading \\'map\\')',
       }
       at src/pairs.js:1, called at src/pairs.test.js:6`);
    expect(renderTap(AVA, Infinity)).toContain(`Difference (- actual, + expected):
         [
           [
             0,`);
  });

  it('belongs to the file that could not be loaded when it planned no tests', () => {
    const output = `TAP version 13
not ok 1 - SyntaxError: Unexpected token ';'
  ---
    name: SyntaxError
    message: Unexpected token ';'
    at: ''
  ...
not ok 2 - a.test.js exited with a non-zero exit code: 1

1..0
# tests 0
`;
    const result = parseTap(output, '/p/a.test.js')!;
    expect(result).toEqual({ file: '/p/a.test.js', cases: [], failure: "SyntaxError: Unexpected token ';'" });
    expect(renderTotals([result])).toBe('0 passed, 1 broken module');
  });
});

it('a failure of tape has its values, and its place once', () => {
  expect(renderTap(TAPE)).toBe(`pairs.test
  FAIL lines > should be strictly equal
       operator: equal
       expected: a\\nc
       actual: a\\nb
       at src/pairs.test.js:2`);
});

/** What ava 6 prints with --tap for an assertion with more than one value. */
const DETAILS = `TAP version 13
not ok 1 - throws
  ---
    name: AssertionError
    assertion: t.throws()
    details:
      'Function threw unexpected exception:': |-
        Error {
          message: 'one',
        }
      'Expected message to equal:': '''two'''
    message: ''
    at: 'run (/p/src/pairs.js:9:3)'
  ...

1..1
`;

it('a failure of ava has all values that it compares', () => {
  expect(renderTap(DETAILS)).toBe(`pairs.test
  FAIL throws
       AssertionError: t.throws()
       Function threw unexpected exception:
       Error {
         message: 'one',
       }
       Expected message to equal: 'two'
       at src/pairs.js:9`);
});

describe('a failure of mocha', () => {
  const render = (err: object): string => {
    const test = { title: 'a', fullTitle: 'a', file: '/p/src/pairs.test.js', err };
    return renderFailures(parseMochaReport(JSON.stringify({ tests: [test], pending: [] }))!, { nameOf, pathOf })
      .split('\n')
      .slice(2)
      .map((line) => line.slice(7))
      .join('\n');
  };
  const at = '    at Context.<anonymous> (/p/src/pairs.test.js:5:3)';

  it('has the values that its message lacks', () => {
    expect(render({ stack: `AssertionError: differs\n${at}`, expected: 'one', actual: 'two' })).toBe(
      'AssertionError: differs\nexpected: one\nactual: two\nat src/pairs.test.js:5',
    );
    expect(render({ message: 'differs', expected: 'one', actual: 'two' })).toBe('differs\nexpected: one\nactual: two');
    const known = { stack: `AssertionError: expected 'two' to equal 'one'\n${at}`, expected: 'one', actual: 'two' };
    expect(render(known)).toBe("AssertionError: expected 'two' to equal 'one'\nat src/pairs.test.js:5");
  });

  it('has of long values the lines that differ', () => {
    const value = (middle: string) => `{\n  "a": 1\n${middle}  "c": [\n    3\n  ]\n}`;
    const long = { stack: `AssertionError: no\n${at}`, expected: value('  "b": 2\n'), actual: value('') };
    expect(render(long)).toBe(
      'AssertionError: no\n- expected + actual\n    "a": 1\n-   "b": 2\nat src/pairs.test.js:5',
    );
    const one = { ...long, expected: '[\n  1\n]', actual: '[\n  2\n]' };
    expect(render(one)).toBe('AssertionError: no\n- expected + actual\n  [\n-   1\n+   2\nat src/pairs.test.js:5');
  });
});

describe('the place of a failure', () => {
  const render = (failure: string, folder?: string): string => {
    const cases = [{ titles: ['x'], status: 'failed', failure }] as const;
    const result: TestModuleResult = { file: '/p/src/a.test.js', cases, failure: '', ...(folder && { folder }) };
    return renderTestModule(result, { nameOf, pathOf }).split('\n').slice(2).join('\n');
  };

  it('is found where a runner shortens paths, as mocha does', () => {
    const failure =
      'TypeError: no\n    at Context.<anonymous> (src/a.test.js:2:49)\n    at x (node:internal/timers:4:2)';
    expect(render(failure, '/p')).toBe('       TypeError: no\n       at src/a.test.js:2');
    expect(render(failure)).toBe('       TypeError: no');
  });

  it('is where a module threw, and where the test called it', () => {
    const failure = 'Error: no\n    at f (/p/src/b.js:3:1)\n    at g (/p/src/c.js:4:1)\n    at /p/src/a.test.js:9:1';
    expect(render(failure)).toBe('       Error: no\n       at src/b.js:3, called at src/a.test.js:9');
  });

  it('has the line of the test where nothing in its file is named', () => {
    const cases = [{ titles: ['math', 'x'], status: 'failed', failure: 'no\n    at f (/p/src/b.js:3:1)' }] as const;
    const lineOf = (_file: string, titles: readonly string[]) => (titles.join() === 'math,x' ? 7 : undefined);
    const result = { file: '/p/src/a.test.js', cases, failure: '' };
    expect(renderTestModule(result, { nameOf, pathOf, lineOf }).split('\n').at(-1)).toBe(
      '       at src/b.js:3, in the test at src/a.test.js:7',
    );
  });

  it('is the one that node prints above the message', () => {
    const failure = 'file:///p/src/broken.js:3\nlet (1;\n     ^\n\nSyntaxError: bad\n    at x (/p/src/a.test.js:1:1)';
    expect(render(failure)).toBe(
      '       let (1;\n            ^\n       SyntaxError: bad\n       at src/broken.js:3, called at src/a.test.js:1',
    );
  });
});

describe('a long message', () => {
  const render = (lines: readonly string[]): readonly string[] => {
    const cases = [{ titles: ['x'], status: 'failed', failure: lines.join('\n') }] as const;
    return renderTestModule({ file: '/a', cases, failure: '' }, { nameOf, pathOf })
      .split('\n')
      .slice(2)
      .map((line) => line.slice(7));
  };
  const equal = Array.from({ length: 9 }, (_, at) => `  ${at},`);

  it('is shown from the first difference on', () => {
    const lines = ['Error: not equal', '+ actual - expected', ...equal, '+ 9', ...equal];
    const shown = ['Error: not equal', '+ actual - expected', '…', '  6,', '  7,', '  8,', '+ 9', '  0,', '  1,'];
    expect(render(lines)).toEqual([...shown, '… 13 more lines']);
  });

  it('is shown from its start if it has no difference, or an early one', () => {
    expect(render(equal)).toEqual([...equal.slice(0, 8), '… 1 more line']);
    const early = ['Error: not equal', '- Expected', '+ Received', '- 1', '+ 2', ...equal];
    expect(render(early)).toEqual([...early.slice(0, 8), '… 6 more lines']);
  });
});

describe('a difference that is too long', () => {
  const render = (lines: readonly string[]): readonly string[] => {
    const result: TestModuleResult = { file: '/a', failure: lines.join('\n'), cases: [] };
    return renderTestModule(result, { nameOf, pathOf })
      .split('\n')
      .slice(1)
      .map((line) => line.slice(2));
  };

  it('keeps lines of both sides', () => {
    const found = Array.from({ length: 9 }, (_, at) => `- found ${at}`);
    const expected = Array.from({ length: 9 }, (_, at) => `+ wanted ${at}`);
    expect(render(['AssertionError: deepEqual', 'Difference (- actual, + expected):', ...found, ...expected])).toEqual([
      'AssertionError: deepEqual',
      'Difference (- actual, + expected):',
      ...found.slice(0, 3),
      '…',
      ...expected.slice(0, 3),
      '… 12 more lines',
    ]);
  });

  it('takes time in proportion to its length', () => {
    // With time for each pair of lines, it would take minutes.
    const lines = Array.from({ length: 100_000 }, (_, at) => `${at % 2 === 0 ? '-' : '+'} value ${at}`);
    expect(render(['AssertionError: deepEqual', '@@ -1,1 +1,1 @@', ...lines]).at(-1)).toBe('… 99994 more lines');
  });

  it('is that of tap, without a blank behind the signs', () => {
    const source = Array.from({ length: 9 }, (_, at) => `  code ${at}`);
    const diff = ['--- expected', '+++ actual', '@@ -1,1 +1,1 @@', '-b', '+a'];
    expect(render(['compare: ===', 'source:', ...source, 'diff:', ...diff, 'more', ...source])).toEqual([
      'compare: ===',
      'source:',
      '…',
      'diff:',
      ...diff,
      '… 19 more lines',
    ]);
  });
});

it('a long message keeps the values that were compared, wherever they stand', () => {
  const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
  const failure = ['Error: no', ...lines, 'Expected message to equal: a', ...lines, 'got b', ...lines].join('\n');
  const result = { file: '/p/src/a.js', failure, cases: [] };
  expect(renderTestModule(result, { nameOf, pathOf }).split('\n').slice(1)).toEqual([
    '  Error: no',
    '  line 0',
    '  …',
    '  line 8',
    '  Expected message to equal: a',
    '  line 0',
    '  …',
    '  line 8',
    '  got b',
    '  line 0',
    '  … 22 more lines',
  ]);
});

const STACK = `AssertionError: expected 1 to be 2
    at fail (/p/node_modules/lib/a.js:1:1)
    at Object.<anonymous> (/p/src/a.test.ts:7:15)
    at file:///p/src/b.ts:9:1`;

const MATH: TestModuleResult = {
  file: '/p/src/a.test.ts',
  failure: '',
  cases: [
    { titles: ['math', 'adds'], status: 'passed', failure: '' },
    { titles: ['math', 'fails'], status: 'failed', failure: STACK },
    { titles: ['later'], status: 'skipped', failure: '' },
  ],
};
const BROKEN: TestModuleResult = { file: '/p/src/b.ts', failure: 'Cannot find module', cases: [] };
const GOOD: TestModuleResult = {
  file: '/p/c.ts',
  failure: '',
  cases: [{ titles: ['x'], status: 'passed', failure: '' }],
};

const NAMES = new Map([
  ['/p/src/a.test.ts', 'a.test'],
  ['/p/src/b.ts', 'b'],
]);
const nameOfModule = (file: string): string => NAMES.get(file) ?? file;

describe('renderTotals', () => {
  it('counts what there is, and leaves out the rest', () => {
    expect(renderTotals([MATH, BROKEN, GOOD])).toBe('2 passed, 1 failed, 1 skipped, 1 broken module');
    expect(renderTotals([GOOD])).toBe('1 passed');
    expect(renderTotals([BROKEN, BROKEN])).toBe('0 passed, 2 broken modules');
  });
});

describe('renderFailures', () => {
  it('shows what failed, why, and where in the project', () => {
    expect(renderFailures([GOOD, MATH, BROKEN], { nameOf: nameOfModule, pathOf })).toBe(`a.test
  FAIL math > fails
       AssertionError: expected 1 to be 2
       at src/a.test.ts:7
b
  Cannot find module`);
    expect(renderFailures([GOOD], { nameOf: nameOfModule, pathOf })).toBe('');
  });

  it('shows an error that several tests have only with the first one', () => {
    const fail = (title: string, row: number, message = 'TypeError: no') => {
      return {
        titles: ['math', title],
        status: 'failed',
        failure: `${message}\n    at /p/src/a.test.ts:${row}:1`,
      } as const;
    };
    const many = Array.from({ length: 14 }, (_, at) => fail(`t${at}`, at));
    const cases = [fail('one', 7), fail('two', 8), fail('other', 9, 'Error: yes'), ...many];
    const other: TestModuleResult = { ...GOOD, cases: [fail('far', 1)] };
    const lineOf = (_: string, titles: readonly string[]) => (titles.at(-1) === 'two' ? 8 : undefined);
    const style = { nameOf: nameOfModule, pathOf, lineOf };
    const named = Array.from({ length: 11 }, (_, at) => `math > t${at}`).join('; ');
    expect(renderFailures([{ ...MATH, cases }, other, BROKEN, { ...BROKEN, file: '/p/d' }], style)).toBe(`a.test
  FAIL math > one
       TypeError: no
       at src/a.test.ts:7
       the same in 16 more: math > two :8; ${named}; +4
  FAIL math > other
       Error: yes
       at src/a.test.ts:9
b
  Cannot find module
  the same in 1 more: /p/d`);
    const empty = { titles: ['a'], status: 'failed', failure: '' } as const;
    const without = { ...MATH, cases: [empty, { ...empty, titles: ['b'] }] };
    expect(renderFailures([without], style)).toBe('a.test\n  FAIL a\n  FAIL b');
  });

  it('shortens a long message, and takes colours out', () => {
    const failure = `\u001B[31mred\u001B[39m\n${'line\n'.repeat(20)}`;
    const cases = [{ titles: ['x'], status: 'failed', failure } as const];
    expect(renderFailures([{ ...MATH, cases }], { nameOf: nameOfModule, pathOf })).toBe(
      `a.test\n  FAIL x\n       red\n${'       line\n'.repeat(7)}       … 13 more lines`,
    );
  });
});

describe('renderModule', () => {
  it('shows every test', () => {
    expect(renderTestModule(MATH, { nameOf: nameOfModule, pathOf })).toBe(`a.test
  ok   math > adds
  FAIL math > fails
       AssertionError: expected 1 to be 2
       at src/a.test.ts:7
  skip later`);
  });
});
