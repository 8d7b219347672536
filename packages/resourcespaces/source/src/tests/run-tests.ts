import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ResourceError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import { runProgram } from '../run-program.ts';
import type { WantedTests } from './find-tests.ts';
import { parseMochaReport, parseTap, parseTestReport, type TestCase, type TestModuleResult } from './test-report.ts';
import { findCommand, findRunner, listRunnerArguments, reportsInOutput, type TestRunner } from './test-runner.ts';

/** Characters of the output of a runner that are shown when it fails. */
const LONGEST_CAUSE = 1200;

/**
 * Runs tests, package by package, each with the runner that it uses, in the environment that the project sets.
 *
 * @throws ResourceError when the runner is not installed, or ends without saying what became of the tests
 */
export async function runTests(
  root: WorkspaceRoot,
  { modules, name }: WantedTests,
  signal: AbortSignal,
): Promise<readonly TestModuleResult[]> {
  const results: TestModuleResult[] = [];
  for (const [folder, members] of Map.groupBy(modules, ({ package: { folder } }) => folder)) {
    const runner = await findRunner(root, folder);
    const command = await findCommand(root, runner, folder);
    if (command === undefined)
      throw new ResourceError(
        `${runner.name} runs the tests and is not installed. Ask the user to install the packages of the project.`,
        ['@source.deps()'],
      );
    const files = members.map(({ path }) => join(root.folder, path));
    const run = { runner, command, folder: join(root.folder, folder), name, signal };
    const groups = reportsInOutput(runner) ? files.map((file) => [file]) : [files];
    for (const group of groups) results.push(...(await runFiles(run, group)));
  }
  return results;
}

interface TestRun {
  readonly runner: TestRunner;
  readonly command: string;
  /** Absolute path of the package. */
  readonly folder: string;
  /** Part of the names of the tests to run. */
  readonly name: string;
  readonly signal: AbortSignal;
}

async function runFiles(
  { runner, command, folder, name, signal }: TestRun,
  files: readonly string[],
): Promise<readonly TestModuleResult[]> {
  const { result, report = '' } = await withReportFile((path) => {
    const args = listRunnerArguments(runner, { files, name }, path);
    // The project decides on colours and the like.
    const environment = { ...UNSET, ...runner.environment };
    return runProgram({ command, args, folder, environment, withoutSecrets: true }, signal);
  });
  const [file = ''] = files;
  if (reportsInOutput(runner)) {
    const parsed = parseTap(result.output, file);
    if (parsed !== undefined) return [takeNamed(parsed, name)];
    // A script says by its exit code alone what became of the file.
    if (runner.name === 'script' || runner.name === 'tape')
      return [{ file, cases: [], failure: result.code === 0 ? '' : readCause(result) }];
  }
  const parsed = runner.name === 'mocha' ? parseMochaReport(report) : parseTestReport(report);
  if (parsed !== undefined) return parsed;
  const fact = `${runner.name} ended with code ${result.code} and without a report.`;
  throw new ResourceError(`${fact}\n${readCause(result)}`, ['<R:>']);
}

/** The tests whose titles contain a text. */
function takeNamed(result: TestModuleResult, name: string): TestModuleResult {
  const wanted = name.split(/[ >]+/).join(' ');
  return { ...result, cases: result.cases.filter(({ titles }) => titles.join(' ').includes(wanted)) };
}

const UNSET = { NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined };

function readCause({ errors, output }: { readonly errors: string; readonly output: string }): string {
  return `${errors}\n${output}`.trim().slice(-LONGEST_CAUSE);
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
