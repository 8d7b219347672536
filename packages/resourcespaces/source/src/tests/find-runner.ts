import { readFields } from '@bae/project';
import type { WorkspaceRoot } from '@bae/workspace';
import { readRunnerOptions } from './runner-options.ts';

/** The test runners whose results can be read; `script` is a test script that runs another program. */
const NAMES = ['vitest', 'jest', 'mocha', 'ava', 'tape', 'tap'] as const;
type RunnerName = (typeof NAMES)[number] | 'node' | 'script';

export interface TestRunner {
  readonly name: RunnerName;
  /** Options from the test script: `--import tsx` for node, `--exit` for mocha. */
  readonly options: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The other commands of the test script, such as linters, which are not run. */
  readonly others: readonly string[];
  /** What runs with node, if a test script of several commands has no known runner. */
  readonly words?: readonly string[];
}

const NODE: TestRunner = { name: 'node', options: [], environment: {}, others: [] };

/**
 * Finds the runner of a package: the one in its test script or its dependencies, or the script itself; then those of
 * the root; then node.
 */
export async function findRunner(root: WorkspaceRoot, folder: string): Promise<TestRunner> {
  for (const place of folder === '' ? [''] : [folder, '']) {
    const fields = await readFields(root, place === '' ? 'package.json' : `${place}/package.json`);
    const scripts = readRecord(fields['scripts']);
    const installed = new Set(
      ['dependencies', 'devDependencies'].flatMap((list) => Object.keys(readRecord(fields[list]))),
    );
    const script = scripts['test'] ?? '';
    const named =
      readScript(script, { scripts, installed }) ??
      Object.values(scripts)
        .map((one) => readScript(one, { scripts, installed }, 0))
        .find(Boolean);
    if (named !== undefined) return named;
    const name = NAMES.find((one) => installed.has(one));
    if (name !== undefined) return { ...NODE, name };
    if (script !== '' && !/no test specified/.test(script)) return readOwnScript(script);
  }
  return NODE;
}

function readRecord(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, string>>) : {};
}

/** Programs that run another program, with the options given to them. */
const WRAPPER = /^(?:npx|c8|nyc|cross-env|env)$/;

/** Splits a script into the commands that run one after the other; what reads the output of one belongs to it. */
function splitCommands(script: string): readonly string[] {
  return script.split(/&&|\|\||;/).map((command) => command.trim());
}

/** Reads the program that a command starts, with its arguments and variables. */
function readStartedProgram(command: string) {
  const [first = ''] = command.split('|', 1);
  return readStartedWords(first.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []);
}

function readStartedWords(given: readonly string[]) {
  const words = [...given];
  const environment: Record<string, string> = {};
  while (words.length > 0) {
    const [, name, value = ''] = /^([A-Z_]\w*)=(.*)$/is.exec(words[0]!) ?? [];
    if (name !== undefined) environment[name] = value.replace(/^(["'])(.*)\1$/, '$2');
    else if (!WRAPPER.test(words[0]!) && !words[0]!.startsWith('-')) break;
    words.shift();
  }
  const [program = '', ...args] = words;
  return { program, args, environment };
}

/** Reads a test script without a known runner: of several commands, the one that node runs gets the file. */
function readOwnScript(script: string): TestRunner {
  const commands = splitCommands(script);
  const own = commands.filter((command) => readStartedProgram(command).program === 'node');
  const [command] = own;
  if (command === undefined || own.length > 1 || commands.length === 1) return { ...NODE, name: 'script' };
  const { args, environment } = readStartedProgram(command);
  const options = readRunnerOptions('node', args);
  const words = args.filter((arg) => !options.includes(arg));
  return { name: 'script', options, environment, words, others: commands.filter((one) => one !== command) };
}

interface ScriptPackage {
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of the packages that it depends on. */
  readonly installed: ReadonlySet<string>;
}

/** Reads the runner that a script runs, directly or through another script of the package. */
function readScript(script: string, place: ScriptPackage, depth = 3): TestRunner | undefined {
  const commands = splitCommands(script);
  for (const command of commands) {
    const started = readStartedProgram(command);
    const others = commands.filter((one) => one !== command);
    const called = findManagedName(started);
    const isScript = called !== undefined && Object.hasOwn(place.scripts, called);
    // `pnpm vitest run`: what is no script is a program of the project.
    const { program, args, ...own } =
      called === undefined || isScript ? started : readStartedWords(started.args.slice(started.args.indexOf(called)));
    const environment = { ...started.environment, ...own.environment };
    const runner = readRunner(program, args, place.installed);
    if (runner !== undefined) return { ...runner, environment: { ...runner.environment, ...environment }, others };
    const found = isScript && depth > 0 ? readScript(place.scripts[called]!, place, depth - 1) : undefined;
    if (found === undefined) continue;
    return { ...found, environment: { ...environment, ...found.environment }, others: [...others, ...found.others] };
  }
  return undefined;
}

/** Finds what a package manager is asked to run, a script or a program; undefined for another program. */
function findManagedName({ program, args }: ReturnType<typeof readStartedProgram>): string | undefined {
  return /^(?:npm|pnpm|yarn|bun)$/.test(program) ? args.find((arg) => !/^(?:run|exec|-.*)$/.test(arg)) : undefined;
}

const TSX = ['--import', 'tsx'];

/** Reads the runner from the program that is started and its arguments. */
function readRunner(program: string, args: readonly string[], installed: ReadonlySet<string>): TestRunner | undefined {
  const name = NAMES.find((one) => one === program.replace(/^.*\//, ''));
  if (name !== undefined) return { ...NODE, name, options: readRunnerOptions(name, args) };
  // The package better-node-test: node, with tsx where that is installed.
  if (program === 'bnt') {
    const options = [...(installed.has('tsx') ? TSX : []), ...readLoadOptions(args)];
    return { ...NODE, options, environment: { NODE_ENV: 'test' } };
  }
  const isTsx = program === 'tsx';
  if ((program !== 'node' && !isTsx) || !args.includes('--test')) return undefined;
  return { ...NODE, options: [...(isTsx ? TSX : []), ...readRunnerOptions('node', args)] };
}

/** Reads the options by which node loads modules, among others that it does not know. */
function readLoadOptions(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, option, value = args[index + 1]] =
      /^(--import|--require|-r|--loader|--conditions|-C)(?:=(.*))?$/.exec(arg) ?? [];
    return option === undefined || value === undefined ? [] : [option, value.replaceAll(/["']/g, '')];
  });
}

/** Names the commands of the test scripts of packages that are not run with their tests. */
export async function listUnrunCommands(root: WorkspaceRoot, folders: Iterable<string>): Promise<readonly string[]> {
  const runners = await Promise.all([...new Set(folders)].map((folder) => findRunner(root, folder)));
  return [...new Set(runners.flatMap(({ others }) => others))];
}
