import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainNodeVersion, findScriptNode, type ScriptNode } from '@bae/project';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { TestRunner } from './find-runner.ts';

interface RunnerPlace {
  readonly folder: string;
  readonly node: ScriptNode;
}

/** Finds the program that runs the tests of a package; undefined for a runner that is not installed. */
export async function findCommand(root: WorkspaceRoot, runner: TestRunner, { folder, node }: RunnerPlace) {
  const { name, words } = runner;
  if (name === 'node' || words !== undefined) return node.program;
  if (name === 'script') return 'npm';
  for (const place of folder === '' ? [''] : [`${folder}/`, '']) {
    const path = `${place}node_modules/.bin/${name}`;
    if (await root.exists(path)) return join(root.folder, path);
  }
  return undefined;
}

/** Returns true for a runner that reports one file at a time, in its output. */
export function reportsInOutput({ name }: TestRunner): boolean {
  return name === 'ava' || name === 'tap' || name === 'tape' || name === 'script';
}

/** Time limit of all runs of test runners in one call, in seconds. */
export const LONGEST_CALL_S = 540;

/**
 * Returns how long one of several runs may take: at most half of the time that is left, so that one that hangs leaves
 * some for those after it.
 *
 * @param left time that is left for all of them, in seconds
 * @param seconds time limit of one
 */
export function shareTime(left: number, seconds: number): number {
  return Math.max(1, Math.min(seconds, Math.floor(left / 2)));
}

interface WantedFiles {
  readonly files: readonly string[];
  /** Part of the names of the tests to run. */
  readonly name: string;
  /** True to also run the tests with the end of that name as their title. */
  readonly isByTitle?: boolean | undefined;
  /** True for a mocha that cannot load what watches it. */
  readonly isUnwatched?: boolean | undefined;
}

/** Makes a pattern of words: some runners put ` > ` between the titles of groups and tests, others put a space. */
function makePattern(words: readonly string[]): string {
  return words.map(escapePattern).join('[ >]+');
}

/** Lists the arguments to run the tests of some files whose names contain a text, and to write a report to a path. */
export function listRunnerArguments(
  runner: TestRunner,
  { files, name, isByTitle, isUnwatched }: WantedFiles,
  report: string,
): readonly string[] {
  const words = name.split(/[ >]+/);
  const pattern = makePattern(words);
  const filter = (option: string) => (name === '' ? [] : [option]);
  switch (runner.name) {
    case 'node': {
      const path = findReporter('node-test-reporter');
      const reporter = [`--test-reporter=${path}`, `--test-reporter-destination=${report}`];
      const patterns = isByTitle === true ? words.map((_, index) => makePattern(words.slice(index))) : [pattern];
      const filters = patterns.flatMap((one) => filter(`--test-name-pattern=${one}`));
      return [...runner.options, '--test', ...reporter, ...filters, ...files];
    }
    case 'mocha':
      return [
        ...runner.options,
        ...(isUnwatched === true ? [] : [`--require=${findReporter('mocha-reporter')}`]),
        '--reporter=json',
        `--reporter-option=output=${report}`,
        ...filter(`--grep=${pattern}`),
        ...files,
      ];
    case 'ava':
      return [...runner.options, '--tap', ...filter(`--match=*${name}*`), ...files];
    // These cannot select nested tests by name: all tests run, and the unwanted ones are left out afterwards.
    case 'tap':
      return [...runner.options, '--reporter=tap', ...files];
    case 'tape':
      return [...runner.options, ...files];
    case 'script':
      if (runner.words !== undefined) return [...runner.options, ...placeFiles(runner.words, files)];
      return ['run', '--silent', 'test', '--', ...files];
    default: {
      const reporters = [`--reporter=${findReporter('vitest-reporter')}`, '--reporter=json'];
      const isVitest = runner.name === 'vitest';
      const mode = isVitest ? ['run', ...reporters] : ['--json'];
      const more = isVitest ? [] : ['--reporters=default', `--reporters=${findReporter('jest-reporter')}`];
      return [
        ...mode,
        ...runner.options,
        `--outputFile=${report}`,
        ...filter(`--testNamePattern=${pattern}`),
        ...files,
        ...more,
      ];
    }
  }
}

/** Puts the files where a command names files of tests, or else behind it: `node test.js`, `node run.js test.js`. */
function placeFiles(words: readonly string[], files: readonly string[]): readonly string[] {
  const names = (word: string): boolean =>
    /[*{]/.test(word) || files.some((file) => file.endsWith(`/${removeDot(word)}`));
  return words.some(names) ? files : [...words, ...files];
}

function removeDot(path: string): string {
  return path.replace(/^\.\//, '');
}

/** Returns the path of a reporter, which is a separate file; the compiled one, since a project may have an older Node. */
function findReporter(name: string): string {
  const place = import.meta.url.endsWith('.ts') ? '../../dist/tests/' : './';
  return fileURLToPath(new URL(`${place}${name}.js`, import.meta.url));
}

interface NodeQuestion {
  /** True if a test failed, which may be because of the version. */
  readonly hasFailed: boolean;
  readonly signal: AbortSignal;
}

/** Says which Node runs the tests of some modules, if it is another than one would expect or the project asks for. */
export async function describeNodes(
  root: WorkspaceRoot,
  modules: readonly CodeModule[],
  { hasFailed, signal }: NodeQuestion,
): Promise<readonly string[]> {
  const folders = new Set(modules.map(({ package: { folder } }) => folder));
  const sentences = Array.from(folders, async (folder) => {
    const own = { folder: join(root.folder, folder), project: root.folder };
    const { difference, path } = await findScriptNode(own, signal);
    return [difference, hasFailed ? await explainNodeVersion(root, { folder, path }, signal) : ''];
  });
  return [...new Set((await Promise.all(sentences)).flat())];
}
