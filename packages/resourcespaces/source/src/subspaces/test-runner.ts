import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import { readDependencies } from './dependency-list.ts';
import type { Program } from './run-program.ts';

/** What runs the tests of a package. */
export type RunnerName = 'vitest' | 'jest' | 'node';

/** Tests of one package that are run together. */
export interface TestRun {
  /** Folder of the package, below the root. */
  readonly folder: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Part of the name of the tests to run; empty for all. */
  readonly name: string;
}

/** Finds out what runs the tests of the package in a folder: what it depends on, or the root does; else node. */
export async function findRunner(root: WorkspaceRoot, folder: string): Promise<RunnerName> {
  for (const place of folder === '' ? [''] : [folder, '']) {
    const dependencies = await namesIn(root, place);
    if (dependencies.includes('vitest')) return 'vitest';
    if (dependencies.includes('jest')) return 'jest';
  }
  return 'node';
}

/** Names of what a package depends on; none when that cannot be read. */
async function namesIn(root: WorkspaceRoot, folder: string): Promise<readonly string[]> {
  try {
    return (await readDependencies(root, folder)).dependencies.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The program that runs tests and writes a report to a file. */
export type TestProgram = (report: string) => Program;

/** How tests are run; undefined when the runner is not installed. */
export async function testProgram(
  root: WorkspaceRoot,
  runner: RunnerName,
  run: TestRun,
): Promise<TestProgram | undefined> {
  const folder = join(root.folder, run.folder);
  if (runner === 'node') return (report) => ({ command: process.execPath, args: nodeArguments(run, report), folder });
  for (const place of run.folder === '' ? [''] : [`${run.folder}/`, '']) {
    const path = `${place}node_modules/.bin/${runner}`;
    if (!(await root.exists(path))) continue;
    return (report) => ({ command: join(root.folder, path), args: binArguments(runner, run, report), folder });
  }
  return undefined;
}

function nodeArguments({ files, name }: TestRun, report: string): readonly string[] {
  const reporter = [`--test-reporter=${reporterPath()}`, `--test-reporter-destination=${report}`];
  const filter = name === '' ? [] : [`--test-name-pattern=${patternOf(name)}`];
  return ['--test', ...reporter, ...filter, ...files];
}

function binArguments(runner: 'vitest' | 'jest', { files, name }: TestRun, report: string): readonly string[] {
  const mode = runner === 'vitest' ? ['run', '--reporter=json'] : ['--json'];
  const filter = name === '' ? [] : ['-t', patternOf(name)];
  return [...mode, `--outputFile=${report}`, ...filter, ...files];
}

/** Some runners put ` > ` between the titles of groups and tests, others a space. */
function patternOf(name: string): string {
  return name.split(/[ >]+/).map(escapePattern).join('[ >]+');
}

/** The reporter is a file of its own: source when the sources run, compiled otherwise. */
function reporterPath(): string {
  const name = import.meta.url.endsWith('.ts') ? './node-test-reporter.ts' : './node-test-reporter.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
