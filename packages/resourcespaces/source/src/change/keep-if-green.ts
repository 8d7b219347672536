import { join } from 'node:path';
import type { ToolContext, ToolOutput } from '@bae/core';
import { getChangeId, EditError, undoChanges, type WorkspaceRoot } from '@bae/workspace';
import { fileWords } from '../address/translate-path.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import { findTestModules, runTests } from '../tests/run-tests.ts';
import { renderFailures, renderTotals, type TestModuleResult } from '../tests/test-report.ts';

/** A change, and the tests that decide whether it stays. */
interface TestedChange {
  /** Address of a test module or folder; undefined to run no tests. */
  readonly test: string | undefined;
  readonly change: () => Promise<ToolOutput>;
}

/**
 * Makes a change, runs tests, and undoes the change unless they pass.
 *
 * @throws what the change fails with; EditError when the tests do not pass, ResourceError when they cannot be run, the
 *   signal's reason; then nothing is changed
 */
export async function keepIfGreen(base: CodeBase, tested: TestedChange, context: ToolContext): Promise<ToolOutput> {
  const { test, change } = tested;
  if (test === undefined) return change();
  await context.requestApproval(`it runs the tests ${test}`, test);
  const { root, index } = base;
  const last = (await listChanges(root, context))[0];
  const output = await change();
  try {
    const catalog = await index.catalog();
    const modules = findTestModules(catalog, test.trim(), (address) => `<source.tests.R:${address}>`);
    const results = await runTests(root, { modules, name: '' }, context.signal);
    if (!isGreen(results)) throw testError(test, results, { root, catalog });
    return { ...output, text: `${output.text}\n${test}: ${renderTotals(results)}` };
  } catch (error) {
    await undoSince(base, last, context);
    throw error;
  }
}

/** Ids of the session's changes, newest first. */
async function listChanges(root: WorkspaceRoot, { session }: ToolContext): Promise<readonly string[]> {
  const all = await root.operations();
  return [...new Set(all.filter((operation) => operation.session === session.id).map(getChangeId))];
}

async function undoSince({ root, index }: CodeBase, last: string | undefined, context: ToolContext): Promise<void> {
  const now = await listChanges(root, context);
  const steps = last === undefined ? now.length : now.indexOf(last);
  if (steps <= 0) return;
  const { errors = [] } = await undoChanges(root, { steps, words: fileWords(await index.catalog()) }, context);
  const [problem] = errors;
  if (problem !== undefined) throw problem;
}

/** True when at least one test passed and none failed. */
function isGreen(results: readonly TestModuleResult[]): boolean {
  const cases = results.flatMap((result) => result.cases);
  const isBroken = results.some(({ failure }) => failure !== '') || cases.some(({ status }) => status === 'failed');
  return !isBroken && cases.some(({ status }) => status === 'passed');
}

function testError(
  test: string,
  results: readonly TestModuleResult[],
  { root, catalog }: { readonly root: WorkspaceRoot; readonly catalog: CodeCatalog },
): EditError {
  const names = new Map(catalog.modules.map(({ path, name }) => [join(root.folder, path), name]));
  const failures = renderFailures(results, { nameOf: (file) => names.get(file) ?? file });
  const head = `${test} did not pass (${renderTotals(results)}), and the change was taken back.`;
  return new EditError([head, failures].filter((part) => part !== '').join('\n'), [`<source.tests.R:${test}>`]);
}
