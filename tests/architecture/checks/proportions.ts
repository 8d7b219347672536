import { isProduct, isTest } from '../source/file-kind.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import { packageFolder, roleOf } from '../source/roles.ts';
import type { Violation } from '../source/violation.ts';

/** Median length of core's files, in lines, and least lines of test for one line of source. */
export const CORE_MEDIAN = 70;
export const TEST_RATIO = 1.1;

/** Core stays made of small files, and all of it stays tested. */
export function checkProportions(repository: Repository): readonly Violation[] {
  const sizes = modulesOf(repository).map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
  const source = sizes.filter(({ path }) => isProduct(path));
  const tests = sizes.filter(({ path }) => isTest(path) && packageFolder(path) !== 'examples');
  const middle = median(source.filter(({ path }) => roleOf(path) === 'core').map(({ lines }) => lines));
  const ratio = total(tests) / Math.max(1, total(source));
  return [
    ...(middle > CORE_MEDIAN
      ? [{ path: 'packages/core/src', message: `has a median file of ${middle} lines, limit ${CORE_MEDIAN}` }]
      : []),
    ...(ratio < TEST_RATIO
      ? [{ path: '.', message: `has ${ratio.toFixed(2)} lines of test for a line of source, least ${TEST_RATIO}` }]
      : []),
  ];
}

function total(sizes: readonly { readonly lines: number }[]): number {
  return sizes.reduce((sum, { lines }) => sum + lines, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
