import { BaeError, type ToolContext } from '@bae/core';
import { EditError, undoChanges } from '@bae/workspace';
import { makeFileWords } from '../address/translate-path.ts';
import { CodeBase } from '../modules/module-index.ts';
import { findTests } from '../tests/find-tests.ts';
import { renderFailures, renderTotals, runTests } from '../tests/run-tests.ts';
import type { ModuleChange } from './module-change.ts';

/**
 * The same change; when it is applied, tests are run, and it is undone unless they pass.
 *
 * @param test address of a test module or folder; undefined to run no tests
 * @returns a change that also throws EditError when the tests do not pass, ResourceError when they cannot be run, and
 *   the signal's reason; then nothing is changed
 */
export function keepIfGreen(base: CodeBase, change: ModuleChange, test: string | undefined): ModuleChange {
  if (test === undefined) return change;
  const { root, index } = base;
  const apply = async (context: ToolContext) => {
    try {
      await context.requestApproval(`it runs the tests ${test}`, test);
    } catch (error) {
      // Nobody forbids the tests: the change, which was allowed for itself, is made without them.
      if (!BaeError.is(error) || !('isUnanswered' in error && error.isUnanswered === true)) throw error;
      const output = await change.apply(context);
      return { ...output, text: `${output.text}\n${test} was not run: ${error.message}` };
    }
    const output = await change.apply(context);
    try {
      const catalog = await index.catalog();
      const tests = await findTests(new CodeBase(root, index), test, (address) => `<source.tests.R:${address}>`);
      const results = await runTests(root, tests, context.signal);
      const cases = results.flatMap((result) => result.cases);
      const hasFailed =
        results.some(({ failure }) => failure !== '') || cases.some(({ status }) => status === 'failed');
      if (hasFailed || !cases.some(({ status }) => status === 'passed')) {
        const head = `${test} did not pass (${renderTotals(results)}), and the change was taken back.`;
        const failures = renderFailures(results, { nameOf: (file) => catalog.moduleOf(file)?.name ?? file });
        const text = [head, failures].filter((part) => part !== '').join('\n');
        throw new EditError(text, [`<source.tests.R:${test}>`]);
      }
      return { ...output, text: `${output.text}\n${test}: ${renderTotals(results)}` };
    } catch (error) {
      if (change.touches.length === 0) throw error;
      const words = makeFileWords(await index.catalog());
      const { errors: [problem = error] = [] } = await undoChanges(root, { steps: 1, words }, context);
      throw problem;
    }
  };
  return { ...change, apply };
}
