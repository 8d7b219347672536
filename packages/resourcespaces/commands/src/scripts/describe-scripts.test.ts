import { expect, it } from 'vitest';
import { findTestTotal } from './describe-scripts.ts';

it.each([
  ['pytest', '....\n======= 21 passed, 1 skipped in 2.31s =======\n', '21 passed, 1 skipped'],
  ['pytest -q', '....                [100%]\n4 passed in 0.02s\n', '4 passed'],
  [
    'vitest',
    ' Test Files  2 passed (2)\n      Tests  9 passed | 1 skipped (10)\n   Duration  1s\n',
    '9 passed | 1 skipped (10)',
  ],
  ['jest', 'Tests:       3 passed, 3 total\nTime:  1 s\n', '3 passed, 3 total'],
  ['mocha', '  12 passing (34ms)\n  1 pending\n', '12 passing'],
  ['node:test', 'ℹ tests 7\nℹ pass 7\nℹ fail 0\nℹ duration_ms 12\n', 'pass 7'],
  ['node:test without a terminal', '# tests 7\n# pass 7\n# fail 0\n', 'pass 7'],
  ['ava', '  ✔ a\n  ─\n\n  5 tests passed\n', '5 tests passed'],
  ['cargo', 'test result: ok. 8 passed; 0 failed; 0 ignored\n', '8 passed'],
  ['unittest', 'Ran 6 tests in 0.001s\n\nOK\n', 'Ran 6 tests'],
])('finds the number of tests that passed in the output of %s', (_runner, output, total) => {
  expect(findTestTotal(output)).toBe(total);
});

it.each(['everything is fine\n', '1 file passed to eslint\n', 'wrote 3 passages\n', ''])(
  'finds no number of tests in %j',
  (output) => {
    expect(findTestTotal(output)).toBeUndefined();
  },
);
