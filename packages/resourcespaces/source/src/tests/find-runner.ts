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
    if (script !== '' && !/no test specified/.test(script)) return readOwnScript(script);
  }
  return NODE;
}

function readRecord(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, string>>) : {};
}

/** Programs that run another program, with the options given to them. */
const WRAPPER = /^(?:npx|c8|nyc|cross-env|env|pnpm exec|yarn exec)$/;

/** Splits a script into the commands that run one after the other; what reads the output of one belongs to it. */
function splitCommands(script: string): readonly string[] {
  return script.split(/&&|\|\||;/).map((command) => command.trim());
}

/** Reads the program that a command starts, with its arguments and variables. */
function readStartedProgram(command: string) {
  const [first = ''] = command.split('|', 1);
  const words = first.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
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

/** Reads the runner that a script runs, directly or through another script of the package. */
function readScript(script: string, scripts: Readonly<Record<string, string>>, depth = 3): TestRunner | undefined {
  const commands = splitCommands(script);
  for (const command of commands) {
    const { program, args, environment } = readStartedProgram(command);
    const others = commands.filter((one) => one !== command);
    const name = NAMES.find((one) => one === program.replace(/^.*\//, ''));
    if (name !== undefined) return { name, options: readRunnerOptions(name, args), environment, others };
    const isTsx = program === 'tsx';
    if ((program === 'node' || isTsx) && args.includes('--test')) {
      const options = [...(isTsx ? ['--import', 'tsx'] : []), ...readRunnerOptions('node', args)];
      return { name: 'node', options, environment, others };
    }
    const other = /^(?:npm|pnpm|yarn|bun)$/.test(program) ? args.find((arg) => !/^(?:run|-.*)$/.test(arg)) : undefined;
    // `pnpm vitest run`: what is no script is a program of the project.
    const started = other === undefined || other in scripts ? undefined : NAMES.find((one) => one === other);
    if (started !== undefined) {
      const options = readRunnerOptions(started, args.slice(args.indexOf(started) + 1));
      return { name: started, options, environment, others };
    }
    const next = other === undefined || depth === 0 ? undefined : scripts[other];
    const found = next === undefined ? undefined : readScript(next, scripts, depth - 1);
    if (found === undefined) continue;
    return { ...found, environment: { ...environment, ...found.environment }, others: [...others, ...found.others] };
  }
  return undefined;
}

/** Names the commands of the test scripts of packages that are not run with their tests. */
export async function listUnrunCommands(root: WorkspaceRoot, folders: Iterable<string>): Promise<readonly string[]> {
  const runners = await Promise.all([...new Set(folders)].map((folder) => findRunner(root, folder)));
  return [...new Set(runners.flatMap(({ others }) => others))];
}
