import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNearestName, ResourceError } from '@bae/core';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import { readDependencies } from '../deps/dependencies.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import { runProgram } from '../run-program.ts';
import { parseTestReport, type TestModuleResult } from './test-report.ts';

const TEST_PATH = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?)$/;
/** Characters of the output of a runner that are shown when it fails. */
const LONGEST_CAUSE = 1200;

/**
 * The test modules of a name, of a folder, or all.
 *
 * @param tagOf the tag that reads an address at the caller's location
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

/** Tests of one package: its folder below the root, absolute paths, and a part of the names of the tests. */
interface TestRun {
  readonly folder: string;
  readonly files: readonly string[];
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
  const { result, report } = await withReportFile((path) =>
    runProgram({ command, args: listRunnerArguments(runner, run, path), folder }, signal),
  );
  const results = report === undefined ? undefined : parseTestReport(report);
  if (results !== undefined) return results;
  const cause = `${result.errors}\n${result.output}`.trim().slice(-LONGEST_CAUSE);
  throw new ResourceError(`${runner} ended with code ${result.code} and without a report.\n${cause}`, ['<R:>']);
}

/** Names the absolute paths of modules by their addresses. */
export function makeFileNamer({ folder }: WorkspaceRoot, { modules }: CodeCatalog): (file: string) => string {
  const names = new Map(modules.map(({ path, name }) => [join(folder, path), name]));
  return (file) => names.get(file) ?? file;
}

type RunnerName = 'vitest' | 'jest' | 'node';

/** The test runner of the package in a folder: a dependency of the package, or of the root; else node. */
export async function findRunner(root: WorkspaceRoot, folder: string): Promise<RunnerName> {
  for (const place of folder === '' ? [''] : [folder, '']) {
    // Without a manifest that can be read there are no dependencies.
    const { dependencies } = await readDependencies(root, place).catch(() => ({ dependencies: [] }));
    const runner = (['vitest', 'jest'] as const).find((one) => dependencies.some(({ name }) => name === one));
    if (runner !== undefined) return runner;
  }
  return 'node';
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

function listRunnerArguments(runner: RunnerName, { files, name }: TestRun, report: string): readonly string[] {
  // Some runners put ` > ` between the titles of groups and tests, others a space.
  const pattern = name.split(/[ >]+/).map(escapePattern).join('[ >]+');
  if (runner === 'node') {
    const filter = name === '' ? [] : [`--test-name-pattern=${pattern}`];
    // The reporter is a file of its own: source when the sources run, compiled otherwise.
    const file = `./node-test-reporter.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;
    const path = fileURLToPath(new URL(file, import.meta.url));
    const reporter = [`--test-reporter=${path}`, `--test-reporter-destination=${report}`];
    return ['--test', ...reporter, ...filter, ...files];
  }
  const mode = runner === 'vitest' ? ['run', '--reporter=json'] : ['--json'];
  const filter = name === '' ? [] : ['-t', pattern];
  return [...mode, `--outputFile=${report}`, ...filter, ...files];
}

/** Lets a program write a report, if it does, to a temporary file outside of the project, and removes the file. */
export async function withReportFile<T>(run: (path: string) => Promise<T>) {
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
