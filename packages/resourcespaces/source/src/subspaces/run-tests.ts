import { join } from 'node:path';
import { ResourceError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import type { CodeModule } from '../modules/code-module.ts';
import { withReportFile } from './report-file.ts';
import { runProgram } from './run-program.ts';
import { parseTestReport, type TestModuleResult } from './test-result.ts';
import { findRunner, testProgram, type TestRun } from './test-runner.ts';

/** Which tests to run. */
export interface TestOrder {
  readonly modules: readonly CodeModule[];
  /** Part of the names of the tests; empty for all. */
  readonly name: string;
}

const LONGEST_CAUSE = 1200;

/**
 * Runs tests, package by package, each with the runner that it uses.
 *
 * @throws ResourceError when a runner is not installed or gives no report; the signal's reason
 */
export async function runTests(
  root: WorkspaceRoot,
  { modules, name }: TestOrder,
  signal: AbortSignal,
): Promise<readonly TestModuleResult[]> {
  const groups = Map.groupBy(modules, ({ package: { folder } }) => folder);
  const results: TestModuleResult[] = [];
  for (const [folder, members] of groups) {
    const files = members.map(({ path }) => join(root.folder, path));
    results.push(...(await runPackage(root, { folder, files, name }, signal)));
  }
  return results;
}

async function runPackage(
  root: WorkspaceRoot,
  run: TestRun,
  signal: AbortSignal,
): Promise<readonly TestModuleResult[]> {
  const runner = await findRunner(root, run.folder);
  const start = await testProgram(root, runner, run);
  if (start === undefined) {
    throw new ResourceError(`${runner} runs the tests and is not installed.`, ['@home()', '@source.deps()']);
  }
  const { result, report } = await withReportFile((path) => runProgram(start(path), signal));
  const results = report === undefined ? undefined : parseTestReport(report);
  if (results !== undefined) return results;
  const cause = `${result.errors}\n${result.output}`.trim().slice(-LONGEST_CAUSE);
  throw new ResourceError(`${runner} ended with code ${result.code} and without a report.\n${cause}`, ['<R:>']);
}
