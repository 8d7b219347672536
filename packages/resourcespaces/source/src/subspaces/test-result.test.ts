import { describe, expect, it } from 'vitest';
import { parseTestReport } from './test-result.ts';

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
