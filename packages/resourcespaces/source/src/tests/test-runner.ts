import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import { readFields } from '../modules/find-packages.ts';

/** The programs whose results are understood; `script` is a test script that runs something else. */
const NAMES = ['vitest', 'jest', 'mocha', 'ava', 'tape', 'tap'] as const;
type RunnerName = (typeof NAMES)[number] | 'node' | 'script';

/** How a package runs its tests. */
export interface TestRunner {
  readonly name: RunnerName;
  /** Options of node that the test script gives: `--import tsx`. */
  readonly options: readonly string[];
  /** Variables that the test script sets. */
  readonly environment: Readonly<Record<string, string>>;
}

const NODE: TestRunner = { name: 'node', options: [], environment: {} };

/**
 * The test runner of the package in a folder: the one that its test script runs, or that it depends on, or its test
 * script itself; else that of the root; else node.
 */
export async function findRunner(root: WorkspaceRoot, folder: string): Promise<TestRunner> {
  for (const place of folder === '' ? [''] : [folder, '']) {
    const fields = await readFields(root, place === '' ? 'package.json' : `${place}/package.json`);
    const scripts = readRecord(fields['scripts']);
    const script = scripts['test'] ?? '';
    const named =
      readScript(script, scripts) ??
      Object.values(scripts)
        .map((one) => readScript(one, {}))
        .find(Boolean);
    if (named !== undefined) return named;
    const lists = [fields['dependencies'], fields['devDependencies']].map(readRecord);
    const name = NAMES.find((one) => lists.some((list) => Object.hasOwn(list, one)));
    if (name !== undefined) return { ...NODE, name };
    if (script !== '' && !/no test specified/.test(script)) return { ...NODE, name: 'script' };
  }
  return NODE;
}

function readRecord(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, string>>) : {};
}

/** Programs that run another one, with the options given to them. */
const WRAPPER = /^(?:npx|c8|nyc|cross-env|env|pnpm exec|yarn exec)$/;
const WITH_VALUE = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '-C', '--conditions']);

/** The runner that a script runs, directly or through another script of the package. */
function readScript(script: string, scripts: Readonly<Record<string, string>>, depth = 3): TestRunner | undefined {
  for (const command of script.split(/&&|\|\||[;|]/)) {
    const words = command.trim().match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
    const environment: Record<string, string> = {};
    while (words.length > 0) {
      const [, name, value = ''] = /^([A-Z_]\w*)=(.*)$/is.exec(words[0]!) ?? [];
      if (name !== undefined) environment[name] = value.replace(/^(["'])(.*)\1$/, '$2');
      else if (!WRAPPER.test(words[0]!) && !words[0]!.startsWith('-')) break;
      words.shift();
    }
    const [program = '', ...args] = words;
    const name = NAMES.find((one) => one === program.replace(/^.*\//, ''));
    if (name !== undefined) return { name, options: [], environment };
    const isTsx = program === 'tsx';
    if ((program === 'node' || isTsx) && args.includes('--test')) {
      const options = [...(isTsx ? ['--import', 'tsx'] : []), ...readNodeOptions(args)];
      return { name: 'node', options, environment };
    }
    const other = /^(?:npm|pnpm|yarn|bun)$/.test(program) ? args.find((arg) => !/^(?:run|-.*)$/.test(arg)) : undefined;
    const next = other === undefined || depth === 0 ? undefined : scripts[other];
    const found = next === undefined ? undefined : readScript(next, scripts, depth - 1);
    if (found !== undefined) return { ...found, environment: { ...environment, ...found.environment } };
  }
  return undefined;
}

function readNodeOptions(args: readonly string[]): readonly string[] {
  const options: string[] = [];
  for (const [index, arg] of args.entries()) {
    if (!arg.startsWith('-') || arg.startsWith('--test')) continue;
    options.push(arg);
    const value = args[index + 1];
    if (WITH_VALUE.has(arg) && value !== undefined) options.push(value);
  }
  return options;
}

/** The path of a runner; undefined when it is not installed. */
export async function findCommand(
  root: WorkspaceRoot,
  { name }: TestRunner,
  folder: string,
): Promise<string | undefined> {
  if (name === 'node') return process.execPath;
  if (name === 'script') return 'npm';
  for (const place of folder === '' ? [''] : [`${folder}/`, '']) {
    const path = `${place}node_modules/.bin/${name}`;
    if (await root.exists(path)) return join(root.folder, path);
  }
  return undefined;
}

/** True for a runner that reports one file at a time, in its output. */
export function reportsInOutput({ name }: TestRunner): boolean {
  return name === 'ava' || name === 'tap' || name === 'tape' || name === 'script';
}

/** The arguments to run the tests of some files whose names contain a text, and to write a report to a path. */
export function listRunnerArguments(
  runner: TestRunner,
  { files, name }: { readonly files: readonly string[]; readonly name: string },
  report: string,
): readonly string[] {
  // Some runners put ` > ` between the titles of groups and tests, others a space.
  const pattern = name.split(/[ >]+/).map(escapePattern).join('[ >]+');
  const filter = (...option: readonly string[]) => (name === '' ? [] : option);
  switch (runner.name) {
    case 'node': {
      // The reporter is a file of its own: source when the sources run, compiled otherwise.
      const file = `./node-test-reporter.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;
      const path = fileURLToPath(new URL(file, import.meta.url));
      const reporter = [`--test-reporter=${path}`, `--test-reporter-destination=${report}`];
      return [...runner.options, '--test', ...reporter, ...filter(`--test-name-pattern=${pattern}`), ...files];
    }
    case 'mocha':
      return ['--reporter=json', `--reporter-option=output=${report}`, ...filter('--grep', pattern), ...files];
    case 'ava':
      return ['--tap', ...filter(`--match=*${name}*`), ...files];
    // These cannot choose tests inside of others by name: all run, and the others are left out afterwards.
    case 'tap':
      return ['--reporter=tap', ...files];
    case 'tape':
      return files;
    case 'script':
      return ['run', '--silent', 'test', '--', ...files];
    default: {
      const mode = runner.name === 'vitest' ? ['run', '--reporter=json'] : ['--json'];
      return [...mode, `--outputFile=${report}`, ...filter('-t', pattern), ...files];
    }
  }
}
