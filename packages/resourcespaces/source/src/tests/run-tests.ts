import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ResourceError } from '@bae/core';
import {
  type CommandLimits,
  explainLimits,
  explainNodeVersion,
  findScriptNode,
  getCommandLimits,
  listMissingPackages,
  maskUrlPasswords,
  type ProgramResult,
  runProgram,
  type ScriptNode,
  startProgram,
} from '@bae/project';
import type { WorkspaceRoot } from '@bae/workspace';
import { hasFailed } from './render-results.ts';
import { findRunner, type TestRunner } from './find-runner.ts';
import { findCommand, listRunnerArguments, LONGEST_CALL_S, reportsInOutput, shareTime } from './runner-command.ts';
import { parseTap } from './parse-tap.ts';
import {
  addUnended,
  parseMochaReport,
  parseProgress,
  parseTestReport,
  type TestCase,
  type TestModuleResult,
  type TestProgress,
} from './test-report.ts';
import type { CodeModule } from '../modules/code-catalog.ts';

const LONGEST_CAUSE = 1200;

/** The requested tests: their modules, and the name of one of them if a title was given. */
export interface WantedTests {
  readonly modules: readonly CodeModule[];
  readonly name: string;
  /** True if all tests are meant. */
  readonly isAll?: boolean;
}

/** Time limit of one run of a test runner, in seconds. */
export const LONGEST_RUN_S = 300;

/** Options for running tests. */
export interface TestRunOptions {
  readonly signal: AbortSignal;
  /** Time limit, in seconds, after which a runner is ended with all its child processes. Default: 300. */
  readonly seconds?: number;
}

/**
 * Runs tests, package by package, each with its own runner, in the environment that the project sets. If a runner
 * crashes or times out, the files that it did not report on have failed.
 *
 * @throws ResourceError when the runner is not installed, or ends without reporting the results of the tests
 */
export async function runTests(
  root: WorkspaceRoot,
  { modules, name }: WantedTests,
  { signal, seconds = LONGEST_RUN_S }: TestRunOptions,
): Promise<readonly TestModuleResult[]> {
  const results: TestModuleResult[] = [];
  const limits = getCommandLimits(root);
  const end = performance.now() + LONGEST_CALL_S * 1000;
  for (const [folder, members] of Map.groupBy(modules, ({ package: { folder } }) => folder)) {
    const runner = await findRunner(root, folder);
    const own = join(root.folder, folder);
    const node = await findScriptNode({ folder: own, project: root.folder }, signal);
    const command = await findCommand(root, runner, { folder, node });
    if (command === undefined)
      throw new ResourceError(`${runner.name} runs the tests and is not installed.`, [
        (await listMissingPackages(root, folder)).length > 0 ? `<source.deps.install:${folder}>` : '@source.deps()',
      ]);
    const files = members.map(({ path }) => join(root.folder, path));
    const run = {
      runner,
      command,
      node,
      folder: own,
      project: root.folder,
      name,
      signal,
      limits,
    };
    const groups = reportsInOutput(runner) ? files.map((file) => [file]) : [files];
    try {
      for (const group of groups) {
        const limit = group.length === modules.length ? seconds : shareTime((end - performance.now()) / 1000, seconds);
        results.push(...(await runFiles({ ...run, seconds: limit }, group)));
      }
    } catch (error) {
      const fact =
        error instanceof ResourceError ? await explainNodeVersion(root, { folder, path: node.path }, signal) : '';
      if (fact === '') throw error;
      const { message, hints } = error as ResourceError;
      throw new ResourceError(
        message.replace('\n', () => `\n${fact}\n`),
        hints,
        error,
      );
    }
  }
  if (name !== '' && results.every(hasNoTest)) {
    const [only, ...others] = modules;
    const fact = `no test has a name with "${name}".`;
    throw new ResourceError(fact, [only && others.length === 0 ? `<R:${only.name}>` : '<R:>']);
  }
  return results;
}

/** Returns true for a file in which no test was run, unless only its end is known. Some runners call that a failure. */
function hasNoTest({ cases, failure, isWhole }: TestModuleResult): boolean {
  return cases.length === 0 && isWhole !== true && (failure === '' || /^1\.\.0$/m.test(failure));
}

interface TestRun extends Required<TestRunOptions> {
  readonly runner: TestRunner;
  readonly command: string;
  readonly node: ScriptNode;
  readonly folder: string;
  /** Folder of the whole project. */
  readonly project: string;
  /** Part of the names of the tests to run. */
  readonly name: string;
  /** True to also run the tests with the end of that name as their title. */
  readonly isByTitle?: boolean;
  /** True for a mocha that cannot load what watches it. */
  readonly isUnwatched?: boolean;
  readonly limits: CommandLimits;
}

async function runFiles(run: TestRun, files: readonly string[]): Promise<readonly TestModuleResult[]> {
  const { runner, name, isByTitle, isUnwatched } = run;
  const {
    result: ended,
    report = '',
    progress = '',
  } = await withReport(run, (path) =>
    runRunner(run, listRunnerArguments(runner, { files, name, isByTitle, isUnwatched }, path)),
  );
  const come = parseProgress(maskUrlPasswords(progress));
  if (ended.isLate && come.running.length > 0)
    return addUnended(come, { files, project: run.project, fact: `${runner.name} ${describeLateness(run)}` });
  const read = readRunnerResults(run, { files, ended, report: maskUrlPasswords(report), come });
  if (read === undefined && isUnwatched !== true && cannotWatch(ended))
    return runFiles({ ...run, isUnwatched: true }, files);
  if (read === undefined && lacksInterface(runner, ended))
    return runFiles({ ...run, runner: { ...runner, options: [...runner.options, '--ui=tdd'] } }, files);
  const results = await placeSyntaxErrors(run, { file: files[0] ?? '', ended, results: read });
  // After a crash, the results of the other files are missing too, so each file runs alone.
  if (results === undefined && files.length > 1 && !ended.isLate) return runAlone(run, files);
  if (results === undefined && !wasKilled(ended)) {
    const fact = `${runner.name} ended with code ${ended.code} and without a report${ended.code === 0 ? ', as if a test called process.exit()' : ''}.`;
    // Tests of types are checked, not run.
    const types = files.find((file) => /\.(?:test|spec)-d\.[cm]?ts$/.test(file));
    const hints = [types === undefined ? '<R:>' : `<source.diagnostics:${relative(run.project, types)}>`];
    const cause = readCause(ended).replaceAll(`${run.project}/`, '');
    throw new ResourceError([fact, ...(await explainTestLimits(run.limits, cause)), cause].join('\n'), hints);
  }
  // Before Node 22, a pattern is compared with the title of a test alone, without those of its groups.
  const isMissed = results?.every(({ cases }) => cases.length === 0) === true;
  if (isMissed && runner.name === 'node' && /[ >]/.test(name) && run.isByTitle !== true) {
    const found = await runFiles({ ...run, isByTitle: true }, files);
    return found.map((result) => takeNamed(result, name));
  }
  return addEnd(run, { files, ended, results: results ?? [] });
}

/** Tests whether mocha did not define what tests call, since the project sets its interface elsewhere. */
function lacksInterface({ name, options }: TestRunner, { errors, output }: ProgramResult): boolean {
  const isUndefined = /\bReferenceError: (?:suite|test|setup|teardown) is not defined/;
  return name === 'mocha' && !options.includes('--ui=tdd') && isUndefined.test(`${errors}\n${output}`);
}

/** Tests whether mocha cannot load the module that watches it: before its version 8, in a Node before 20.19. */
function cannotWatch({ errors, output }: ProgramResult): boolean {
  return /\bERR_REQUIRE_ESM\b/.test(`${errors}\n${output}`) && /\bmocha-reporter\.js\b/.test(`${errors}\n${output}`);
}

/** Number of files without a report after which the others are not tried: the cause is not in the files. */
const MOST_SILENT = 3;

async function runAlone(run: TestRun, files: readonly string[]): Promise<readonly TestModuleResult[]> {
  const results: TestModuleResult[] = [];
  let silent = 0;
  for (const [index, file] of files.entries()) {
    try {
      results.push(...(await runFiles(run, [file])));
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      silent++;
      if (silent === MOST_SILENT && index + 1 === silent) throw error;
      results.push({ file, cases: [], failure: error.message });
    }
  }
  return results;
}

interface RunnerEnd extends ProgramResult {
  /** True when it was ended because of the time limit. */
  readonly isLate: boolean;
}

async function runRunner(run: TestRun, args: readonly string[]): Promise<RunnerEnd> {
  const { runner, command, node, folder, project, signal, seconds, limits } = run;
  signal.throwIfAborted();
  // A part of the tests never covers what all of them have to.
  const coverage = runner.name === 'tap' ? { TAP_DISABLE_COVERAGE: '1' } : {};
  const environment = { PATH: node.path, ...coverage, ...runner.environment };
  const running = await startProgram({ command, args, folder, project, environment, inherits: 'project', limits });
  let isLate = false;
  const stop = (): void => void running.stop();
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, seconds * 1000);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const result = await running.ended;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return { ...result, isLate };
}

function wasKilled({ code }: ProgramResult): boolean {
  return code === null || code > 128;
}

interface RunnerReports {
  readonly files: readonly string[];
  readonly ended: RunnerEnd;
  readonly report: string;
  readonly come: TestProgress;
}

/** Reads the results from a runner; returns undefined when they cannot be read. */
function readRunnerResults(
  { runner, name, folder }: TestRun,
  { files: [file = ''], ended, report, come }: RunnerReports,
): readonly TestModuleResult[] | undefined {
  if (reportsInOutput(runner)) {
    const parsed = parseTap(ended.output, file);
    if (parsed !== undefined) return [{ ...takeNamed(takeProgramEnd(parsed, ended), name), folder }];
    // For a script, only the exit code tells the result of the file.
    if (runner.name === 'script' || runner.name === 'tape') return [{ file, cases: [], failure: '', isWhole: true }];
  }
  if (runner.name === 'mocha') {
    // Before version 9.2, mocha prints its report, which does not name the files.
    const isPrinted = /^ {2}"stats": \{$/m.test(ended.output);
    const results = parseMochaReport(report) ?? (isPrinted ? come.results : undefined);
    return results?.map((result) => ({ ...result, folder }));
  }
  const results = parseTestReport(report, runner.name === 'vitest' ? 'unfinished' : 'skipped');
  // Like node, counts a file that succeeded without reporting a test: one that checks when it loads, or fakes all timers.
  const isCounted = runner.name === 'node' && name === '';
  return results?.map((one) =>
    isCounted && one.cases.length === 0 && one.failure === '' ? { ...one, isWhole: true } : one,
  );
}

/** The reporter of ava that is used here crashes when a test calls `process.exit()`. */
const AVA_CRASH = /\/ava\/lib\/reporters\/tap\.js:\d+/;

interface AvaResults {
  readonly file: string;
  readonly results: readonly TestModuleResult[] | undefined;
}

/** Runs a file again, with the other reporter of ava, which says what its first one crashed at. */
async function explainCrash(run: TestRun, { file, results }: AvaResults): Promise<readonly TestModuleResult[]> {
  const { output, errors } = await runRunner(run, [...run.runner.options, file]);
  const failure = readCause({ errors, output: stripVTControlCharacters(output) }).trim();
  return [{ file, cases: [], ...results?.[0], failure }];
}

/** Time limit for finding the place of a syntax error, in seconds. */
const LONGEST_SEARCH_S = 10;

/**
 * Adds the file and line of a syntax error to the results of ava, which reports neither. Node prints them above the
 * message, before it executes anything.
 */
async function placeSyntaxErrors(
  run: TestRun,
  { file, ended, results }: { readonly file: string; readonly ended: RunnerEnd } & Partial<AvaResults>,
): Promise<readonly TestModuleResult[] | undefined> {
  const [first, ...others] = results ?? [];
  if (run.runner.name === 'ava' && AVA_CRASH.test(ended.errors)) return explainCrash(run, { file, results });
  if (run.runner.name !== 'ava' || first === undefined || !/^SyntaxError\b/.test(first.failure)) return results;
  const seconds = Math.min(run.seconds, LONGEST_SEARCH_S);
  const search = { ...run, command: run.node.program, seconds };
  const { errors } = await runRunner(search, [...run.runner.options, first.file]);
  const [, path, line, message] = /^(?:file:\/\/)?(\/.+):(\d+)\n[^]*?^(SyntaxError: .*)$/m.exec(errors) ?? [];
  if (message === undefined) return results;
  return [{ ...first, failure: `${message}\n    at ${path}:${line}:1` }, ...others];
}

/** Adds the end of a runner to the results of the files that lack it: a crash is not a test that passed. */
function addEnd(
  { runner, name, seconds }: TestRun,
  { files, ended, results }: { files: readonly string[]; ended: RunnerEnd; results: readonly TestModuleResult[] },
): readonly TestModuleResult[] {
  if (ended.code === 0 && !ended.isLate) return results;
  // A runner may be stopped after the program of a test, and report that as the test's failure.
  // A plan is missing when the program of the tests has ended in the middle of them.
  const isCut = reportsInOutput(runner) && !/^1\.\.\d+/m.test(ended.output);
  // A test with another name failed.
  const hasOther = name !== '' && reportsInOutput(runner) && results.some(({ cases }) => cases.length > 0);
  const isKnown = hasFailed(results) || (hasOther && /^\s*not ok\b/m.test(ended.output));
  if (isKnown && !wasKilled(ended) && !ended.isLate && !isCut) return results;
  const way = ended.isLate
    ? describeLateness({ seconds })
    : `ended with code ${ended.code}${ended.code === 137 ? ' (killed)' : ''}`;
  const silent = name === '' ? files.filter((file) => !results.some((result) => result.file === file)) : [];
  const isGuess = ended.isLate && silent.length > 1 ? '; which of these files kept it is not known' : '';
  const subject = runner.name === 'script' ? 'the test script' : runner.name;
  const failure = `${subject} ${way}${isGuess}\n${readCause(ended)}`.trim();
  // A file whose tests all passed did not keep the runner.
  const blamed = results.find((result) => hasFailed([result])) ?? results[0];
  if (silent.length > 0 || blamed === undefined) {
    const without = silent.length > 0 ? silent : files.slice(0, 1);
    return [...results, ...without.map((file) => ({ file, cases: [], failure }))];
  }
  return results.map((one) =>
    one === blamed ? { ...one, failure: ended.isLate ? failure : one.failure || failure } : one,
  );
}

function describeLateness({ seconds }: Pick<TestRun, 'seconds'>): string {
  return `did not end within ${seconds} s, and was stopped`;
}

/** Takes the end of the program of a file, which tap reports like a test or a group, as that of the file. */
function takeProgramEnd(result: TestModuleResult, { errors }: RunnerEnd): TestModuleResult {
  const isFile = (title: string | undefined): boolean =>
    title !== undefined && (title === result.file || result.file.endsWith(`/${title}`));
  const isEnd = ({ titles, failure }: TestCase): boolean => isFile(titles.join('/')) && /^exitCode: /m.test(failure);
  const own = result.cases.filter((one) => !isEnd(one));
  const cases = own.map((one) =>
    one.titles.length > 1 && isFile(one.titles[0]) ? { ...one, titles: one.titles.slice(1) } : one,
  );
  if (own.length === result.cases.length) return { ...result, cases };
  return { ...result, cases, failure: result.failure || readCause({ errors, output: '' }) || 'it ended the program' };
}

function takeNamed(result: TestModuleResult, name: string): TestModuleResult {
  const wanted = name.split(/[ >]+/).join(' ');
  return { ...result, cases: result.cases.filter(({ titles }) => titles.join(' ').includes(wanted)) };
}

function readCause({ errors, output }: { readonly errors: string; readonly output: string }): string {
  // Node prints the place of an error above a stack, most of which is not the project's.
  const lines = `${errors}\n${output}`.trim().split('\n');
  const own = lines.filter((line) => !/^\s+at .*(?:\bnode:|\/node_modules\/)/.test(line));
  return own.join('\n').slice(-LONGEST_CAUSE);
}

/** Says which limits of commands a failed test may have met, from what it printed. */
export async function explainTestLimits(limits: CommandLimits, output: string): Promise<readonly string[]> {
  if (!(await limits.hold())) return [];
  return explainLimits({ output, hasNetwork: !(await limits.holdNetwork()) });
}

/** Runs a program that may write a report, and reads it: where limits hold, in the `/tmp` of the session. */
async function withReport<T>({ limits, project, signal }: TestRun, run: (path: string) => Promise<T>) {
  if (!(await limits.hold())) return withReportFile(run);
  const path = `/tmp/bae-report-${randomUUID()}.json`;
  const result = await run(path);
  const take = async (file: string): Promise<string | undefined> => {
    const read = { command: '/bin/sh', args: ['-c', 'cat "$1" && rm "$1"', 'sh', file], folder: project, limits };
    const { code, output } = await runProgram(read, signal);
    return code === 0 ? output : undefined;
  };
  return { result, report: await take(path), progress: await take(`${path}.progress`) };
}

/** Runs a program that may write a report to a temporary file outside of the project, and removes the file. */
export async function withReportFile<T>(run: (path: string) => Promise<T>) {
  const folder = await mkdtemp(join(tmpdir(), 'bae-report-'));
  try {
    const path = join(folder, 'report.json');
    const result = await run(path);
    const [report, progress] = await Promise.all([path, `${path}.progress`].map(readIfThere));
    return { result, report, progress };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
