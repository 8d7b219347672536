import { describe, expect, it } from 'vitest';
import { parseTestReport, renderFailures, renderTestModule, renderTotals, type TestModuleResult } from './run-tests.ts';

describe('parseTestReport', () => {
  it('reads the report of jest', () => {
    const failed = { ancestorTitles: ['a'], title: 'two', status: 'failed', failureMessages: ['Error: no\n    at x'] };
    const report = {
      numTotalTests: 3,
      testResults: [
        {
          name: '/p/a.test.js',
          status: 'failed',
          message: '  ● a › two\n\n    Error: no',
          assertionResults: [
            { ancestorTitles: ['a'], title: 'one', status: 'passed', failureMessages: [] },
            failed,
            { ancestorTitles: [], title: 'three', status: 'pending' },
            { ancestorTitles: [], title: 'four', status: 'todo', failureMessages: null },
          ],
        },
        { name: '/p/b.test.js', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      ],
    };
    expect(parseTestReport(JSON.stringify(report))).toEqual([
      {
        file: '/p/a.test.js',
        failure: '',
        cases: [
          { titles: ['a', 'one'], status: 'passed', failure: '' },
          { titles: ['a', 'two'], status: 'failed', failure: 'Error: no\n    at x' },
          { titles: ['three'], status: 'skipped', failure: '' },
          { titles: ['four'], status: 'skipped', failure: '' },
        ],
      },
      { file: '/p/b.test.js', failure: 'Cannot find module', cases: [] },
    ]);
  });

  it.each(['', 'no report', '[]', 'null', '{}', '{"testResults":1}', '{"testResults":[{}]}'])(
    'takes %j for no report',
    (text) => {
      expect(parseTestReport(text)).toBeUndefined();
    },
  );
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
const nameOf = (file: string): string => NAMES.get(file) ?? file;

describe('renderTotals', () => {
  it('counts what there is, and leaves out the rest', () => {
    expect(renderTotals([MATH, BROKEN, GOOD])).toBe('2 passed, 1 failed, 1 skipped, 1 broken module');
    expect(renderTotals([GOOD])).toBe('1 passed');
    expect(renderTotals([BROKEN, BROKEN])).toBe('0 passed, 2 broken modules');
  });
});

describe('renderFailures', () => {
  it('shows what failed, why, and where in the project', () => {
    expect(renderFailures([GOOD, MATH, BROKEN], { nameOf })).toBe(`a.test
  FAIL math > fails
       AssertionError: expected 1 to be 2
       at a.test:7
b
  Cannot find module`);
    expect(renderFailures([GOOD], { nameOf })).toBe('');
  });

  it('shortens a long message, and takes colours out', () => {
    const failure = `\u001B[31mred\u001B[39m\n${'line\n'.repeat(20)}`;
    const cases = [{ titles: ['x'], status: 'failed', failure } as const];
    expect(renderFailures([{ ...MATH, cases }], { nameOf })).toBe(
      `a.test\n  FAIL x\n       red\n${'       line\n'.repeat(7)}       … 13 more lines`,
    );
  });
});

describe('renderModule', () => {
  it('shows every test', () => {
    expect(renderTestModule(MATH, { nameOf })).toBe(`a.test
  ok   math > adds
  FAIL math > fails
       AssertionError: expected 1 to be 2
       at a.test:7
  skip later`);
  });
});
