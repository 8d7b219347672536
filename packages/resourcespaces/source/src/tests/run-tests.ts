import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { findNearestName, ResourceError } from '@bae/core';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import { readDependencies } from '../deps/dependencies.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import { runProgram } from '../run-program.ts';

const TEST_PATH = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?)$/;
/** Characters of the output of a runner that are shown when it fails. */
const LONGEST_CAUSE = 1200;

/**
 * The test modules of a name, of a folder, or all; `tagOf` makes the tag that reads an address at the caller's
 * location.
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

/** Runs the tests whose names contain a text, package by package, each with the runner that it uses. */
export async function runTests(
  root: WorkspaceRoot,
  { modules, name }: { readonly modules: readonly CodeModule[]; readonly name: string },
  signal: AbortSignal,
): Promise<readonly TestModuleResult[]> {
  const results: TestModuleResult[] = [];
  for (const [folder, members] of Map.groupBy(modules, ({ package: { folder } }) => folder)) {
    const runner = await findRunner(root, folder);
    const command = await findCommand(root, runner, folder);
    if (command === undefined)
      throw new ResourceError(`${runner} runs the tests and is not installed.`, ['@home()', '@source.deps()']);
    const files = members.map(({ path }) => join(root.folder, path));
    const { result, report = '' } = await withReportFile((path) => {
      const args = listRunnerArguments(runner, { files, name }, path);
      return runProgram({ command, args, folder: join(root.folder, folder) }, signal);
    });
    const parsed = parseTestReport(report);
    if (parsed === undefined) {
      const cause = `${result.errors}\n${result.output}`.trim().slice(-LONGEST_CAUSE);
      throw new ResourceError(`${runner} ended with code ${result.code} and without a report.\n${cause}`, ['<R:>']);
    }
    results.push(...parsed);
  }
  return results;
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

function listRunnerArguments(
  runner: RunnerName,
  { files, name }: { readonly files: readonly string[]; readonly name: string },
  report: string,
): readonly string[] {
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

interface TestCase {
  /** Titles of the groups around it, outermost first, and its own. */
  readonly titles: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The error with its stack; empty when the test did not fail. */
  readonly failure: string;
}

/** The result of a test module. */
export interface TestModuleResult {
  readonly file: string;
  readonly cases: readonly TestCase[];
  /** Why the module as a whole failed; empty when it did not. */
  readonly failure: string;
}

/** One test in a report in the format of jest. */
export interface JsonOutcome {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[] | null;
}

interface JsonModule {
  readonly name: string;
  readonly message?: string;
  readonly assertionResults: readonly JsonOutcome[];
}

/** Parses a report in the format of jest, as vitest, jest and our reporter for node:test write it; else undefined. */
export function parseTestReport(report: string): readonly TestModuleResult[] | undefined {
  try {
    const { testResults } = JSON.parse(report) as { readonly testResults: readonly JsonModule[] };
    return testResults.map(({ name, message = '', assertionResults }) => {
      const cases = assertionResults.map<TestCase>(({ ancestorTitles, title, status, failureMessages }) => ({
        titles: [...ancestorTitles, title],
        status: status === 'passed' || status === 'failed' ? status : 'skipped',
        failure: (failureMessages ?? []).join('\n'),
      }));
      // jest repeats the failures of the tests in the message.
      const failure = cases.some(({ status }) => status === 'failed') ? '' : message;
      return { file: name, cases, failure };
    });
  } catch {
    return undefined;
  }
}

export interface ResultStyle {
  /** Names a file: a module by its address. */
  readonly nameOf: (file: string) => string;
  /** Lines of a failure that are shown. Default: 8. */
  readonly most?: number;
}

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;
const MOST_LINES = 8;

/** A line of totals: `3 passed, 1 failed, 2 skipped`. */
export function renderTotals(results: readonly TestModuleResult[]): string {
  const cases = results.flatMap((result) => result.cases);
  const count = (status: TestCase['status']): number => cases.filter((one) => one.status === status).length;
  const broken = results.filter(({ failure }) => failure !== '').length;
  const parts = [
    `${count('passed')} passed`,
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} skipped`] : []),
    ...(broken > 0 ? [`${broken} broken ${broken === 1 ? 'module' : 'modules'}`] : []),
  ];
  return parts.join(', ');
}

/** The failed tests with their errors, by module. */
export function renderFailures(results: readonly TestModuleResult[], style: ResultStyle): string {
  return results
    .map((result) => ({ ...result, cases: result.cases.filter(({ status }) => status === 'failed') }))
    .filter(({ failure, cases }) => failure !== '' || cases.length > 0)
    .map((result) => renderTestModule(result, style))
    .join('\n');
}

/** All tests of a module with their results. */
export function renderTestModule({ file, cases, failure }: TestModuleResult, style: ResultStyle): string {
  const lines = cases.flatMap(({ titles, status, failure: reason }) => [
    `  ${MARKS[status]} ${titles.join(' > ')}`,
    ...renderFailure(reason, style).map((line) => `       ${line}`),
  ]);
  return [style.nameOf(file), ...renderFailure(failure, style).map((line) => `  ${line}`), ...lines].join('\n');
}

/** The message, and where in the project it was thrown. */
function renderFailure(failure: string, { nameOf, most = MOST_LINES }: ResultStyle): readonly string[] {
  if (failure === '') return [];
  const lines = stripVTControlCharacters(failure).split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const message = (first < 0 ? lines : lines.slice(0, first)).filter((line) => line.trim() !== '');
  const place = lines
    .map((line) => /\(?(?:file:\/\/)?(\/[^()]+?):(\d+):\d+\)?$/.exec(line))
    .find((match) => match !== null && nameOf(match[1] as string) !== match[1]);
  const more = message.length > most ? [`… ${message.length - most} more lines`] : [];
  return [...message.slice(0, most), ...more, ...(place ? [`at ${nameOf(place[1] as string)}:${place[2]}`] : [])];
}
