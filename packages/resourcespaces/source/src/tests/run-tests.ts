import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNearestName, ResourceError } from '@bae/core';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import { readDependencies } from '../deps/dependencies.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import { runProgram, type Program } from '../run-program.ts';
import { parseTestReport, type TestModuleResult } from './test-report.ts';

const TEST_PATH = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?)$/;
/** Characters of the output of a runner that are shown when it fails. */
const LONGEST_CAUSE = 1200;

/**
 * The test modules of a name, of a folder, or all.
 *
 * @param tagOf the tag that reads an address at the caller's location
 * @throws ResourceError when there are none, with the nearest name
 */
export function findTestModules(
  catalog: CodeCatalog,
  wanted: string,
  tagOf = (address: string) => `<R:${address}>`,
): readonly CodeModule[] {
  const modules = catalog.modules.filter(({ path }) => TEST_PATH.test(path));
  if (wanted === '') return modules;
  const exact = modules.filter(({ name }) => name === wanted);
  if (exact.length > 0) return exact;
  const inside = modules.filter(({ name }) => name.startsWith(`${wanted}.`));
  if (inside.length > 0) return inside;
  const names = modules.map(({ name }) => name);
  const nearest = names.includes(`${wanted}.test`) ? `${wanted}.test` : findNearestName(wanted, names);
  throw new ResourceError(`no test module '${wanted}'.`, [tagOf(nearest ?? '')]);
}

/**
 * Runs tests, package by package, each with the runner that it uses.
 *
 * @param options `name` is a part of the names of the tests to run; empty for all
 * @throws ResourceError when a runner is not installed or writes no report; the signal's reason
 */
export async function runTests(
  root: WorkspaceRoot,
  { modules, name }: { readonly modules: readonly CodeModule[]; readonly name: string },
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

/** Tests of one package that are run together. */
interface TestRun {
  /** Folder of the package, below the root. */
  readonly folder: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Part of the names of the tests to run; empty for all. */
  readonly name: string;
}

async function runPackage(
  root: WorkspaceRoot,
  run: TestRun,
  signal: AbortSignal,
): Promise<readonly TestModuleResult[]> {
  const runner = await findRunner(root, run.folder);
  const command = await findCommand(root, runner, run.folder);
  if (command === undefined)
    throw new ResourceError(`${runner} runs the tests and is not installed.`, ['@home()', '@source.deps()']);
  const folder = join(root.folder, run.folder);
  const { result, report } = await withReportFile((path) => {
    const program: Program = { command, args: runnerArguments(runner, run, path), folder };
    return runProgram(program, signal);
  });
  const results = report === undefined ? undefined : parseTestReport(report);
  if (results !== undefined) return results;
  const cause = `${result.errors}\n${result.output}`.trim().slice(-LONGEST_CAUSE);
  throw new ResourceError(`${runner} ended with code ${result.code} and without a report.\n${cause}`, ['<R:>']);
}

type RunnerName = 'vitest' | 'jest' | 'node';

/** The test runner of the package in a folder: a dependency of the package, or of the root; else node. */
export async function findRunner(root: WorkspaceRoot, folder: string): Promise<RunnerName> {
  for (const place of folder === '' ? [''] : [folder, '']) {
    const dependencies = await listDependencyNames(root, place);
    if (dependencies.includes('vitest')) return 'vitest';
    if (dependencies.includes('jest')) return 'jest';
  }
  return 'node';
}

/** Names of the dependencies of a package; none when they cannot be read. */
async function listDependencyNames(root: WorkspaceRoot, folder: string): Promise<readonly string[]> {
  try {
    return (await readDependencies(root, folder)).dependencies.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The path of a runner; undefined when it is not installed. */
async function findCommand(root: WorkspaceRoot, runner: RunnerName, folder: string): Promise<string | undefined> {
  if (runner === 'node') return process.execPath;
  for (const place of folder === '' ? [''] : [`${folder}/`, '']) {
    const path = `${place}node_modules/.bin/${runner}`;
    if (await root.exists(path)) return join(root.folder, path);
  }
  return undefined;
}

function runnerArguments(runner: RunnerName, { files, name }: TestRun, report: string): readonly string[] {
  // Some runners put ` > ` between the titles of groups and tests, others a space.
  const pattern = name.split(/[ >]+/).map(escapePattern).join('[ >]+');
  if (runner === 'node') {
    const filter = name === '' ? [] : [`--test-name-pattern=${pattern}`];
    const reporter = [`--test-reporter=${reporterPath()}`, `--test-reporter-destination=${report}`];
    return ['--test', ...reporter, ...filter, ...files];
  }
  const mode = runner === 'vitest' ? ['run', '--reporter=json'] : ['--json'];
  const filter = name === '' ? [] : ['-t', pattern];
  return [...mode, `--outputFile=${report}`, ...filter, ...files];
}

/** The reporter is a file of its own: source when the sources run, compiled otherwise. */
function reporterPath(): string {
  const name = import.meta.url.endsWith('.ts') ? './node-test-reporter.ts' : './node-test-reporter.js';
  return fileURLToPath(new URL(name, import.meta.url));
}

/**
 * Lets a program write a report to a temporary file outside of the project, and removes the file.
 *
 * @param run runs the program, with the path of the file
 * @returns what `run` returned, and the report; undefined if the program wrote none
 */
export async function withReportFile<T>(
  run: (path: string) => Promise<T>,
): Promise<{ readonly result: T; readonly report: string | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'bae-report-'));
  try {
    const path = join(folder, 'report.json');
    const result = await run(path);
    const report = await readFile(path, 'utf8').catch(() => undefined);
    return { result, report };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
