import { expect, it } from 'vitest';
import { FirstRuns } from './first-runs.ts';

const run = (lines: readonly string[]) => ({ key: 'test', code: 1, output: lines.join('\n') });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `case ${'x'.repeat(index)}`);

it('lists what is new in a failure, but not all of the output when another command failed', () => {
  const runs = new FirstRuns();
  runs.compare(run(['lint: unused x']), true);
  expect(runs.compare(run(['lint: unused x', 'lint: unused y']), false)).toEqual({
    comparison: ', failed before; 1 line is new',
    news: ['lint: unused y'],
    isOlder: false,
  });
  expect(runs.compare(run(['lint: unused x', ...numbered(20)]), false).news).toHaveLength(20);
  expect(runs.compare(run(numbered(21)), false)).toEqual({
    comparison: ', failed before in another way',
    news: [],
    isOlder: false,
  });
  expect(runs.compare(run(['lint: unused x']), false).comparison).toBe(', failed before in the same way');
});
