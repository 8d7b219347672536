import { expect, it } from 'vitest';
import { LONGEST_CALL_S, shareTime } from './runner-command.ts';
import { readRunnerOptions } from './runner-options.ts';

it.each([
  ['mocha', '--reporter spec --exit --check-leaks test/', '--exit --check-leaks'],
  [
    'mocha',
    '--require ./setup.cjs -r "tsx" --ui tdd --timeout 9000 -g adds test/*.js',
    '--require ./setup.cjs -r tsx --ui tdd --timeout 9000',
  ],
  ['mocha', '--require=./a.js --watch', '--require=./a.js'],
  [
    'vitest',
    'run --config alt.config.mjs --globals --coverage.enabled --coverage.reporter=text src',
    '--config alt.config.mjs --globals',
  ],
  ['jest', '--config jest.json --runInBand --coverage --verbose --reporters default', '--config jest.json --runInBand'],
  ['ava', 't/*.js --serial --timeout 2m --watch', '--serial --timeout 2m'],
  ['tap', '--disable-coverage --reporter tap -j 1 test', '--disable-coverage -j 1'],
  ['tape', '-r tsx/cjs test/*.ts', '-r tsx/cjs'],
  ['node', '--import tsx --test --test-reporter=spec --test-only -C dev test/*.ts', '--import tsx -C dev'],
  ['vitest', '', ''],
])('%s %s has the options %s', (name, words, options) => {
  expect(readRunnerOptions(name, words.split(' ').filter(Boolean)).join(' ')).toBe(options);
});

it('files that hang leave time for those after them', () => {
  let left = LONGEST_CALL_S;
  const limits = Array.from({ length: 6 }, () => {
    const limit = shareTime(left, 300);
    left -= limit;
    return limit;
  });
  expect(limits).toEqual([270, 135, 67, 34, 17, 8]);
  expect(shareTime(LONGEST_CALL_S, 10)).toBe(10);
  expect(shareTime(0, 300)).toBe(1);
});
