// A reporter for vitest, whose report in JSON lacks the difference between the values that a test compared: it is added
// to the error, which the reporter behind this one writes. It runs in the process of the tests and imports no other file of this package.
import { stripVTControlCharacters } from 'node:util';

interface FailedTask {
  readonly tasks?: readonly FailedTask[];
  /** Path of a file of tests. */
  readonly filepath?: string;
  result?: { errors?: readonly FailedError[] };
}

interface FailedError {
  stack?: string;
  readonly message?: string;
  readonly diff?: string;
}

/** An error outside of tests: a promise that nobody waited for. */
interface UnhandledError {
  readonly message?: string;
  readonly stack?: string;
  readonly VITEST_TEST_PATH?: string;
}

interface Vitest {
  readonly state?: { getFiles?(): readonly FailedTask[] };
}

class DifferenceReporter {
  #vitest: Vitest = {};

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  /** Called at the end of a run by vitest 3 and later. */
  onTestRunEnd(_modules: unknown, errors: readonly UnhandledError[] = []): void {
    const files = this.#vitest.state?.getFiles?.() ?? [];
    for (const file of files) addDifferences(file);
    for (const error of errors) addUnhandled(files, error);
  }

  /** The same for earlier versions. */
  onFinished(files: unknown, errors?: readonly UnhandledError[]): void {
    this.onTestRunEnd(files, errors);
  }
}

/** Adds an error outside of tests to its file: the report in JSON leaves it out. */
function addUnhandled(files: readonly FailedTask[], { message, stack, VITEST_TEST_PATH: path }: UnhandledError): void {
  const file = files.find(({ filepath }) => filepath !== undefined && filepath === path);
  const text = stack ?? message ?? '';
  if (file === undefined) process.stderr.write(`${text}\n`);
  else file.result = { ...file.result, errors: [...(file.result?.errors ?? []), { message: text }] };
}

function addDifferences({ tasks = [], result }: FailedTask): void {
  for (const error of result?.errors ?? []) {
    const { message: said, diff = '' } = error;
    // Of a test that took too long, the stack begins with a name of vitest's own.
    const stack = (error.stack ?? '').replace(/^Error: STACK_TRACE_ERROR/, () => `Error: ${said ?? ''}`);
    error.stack = stack;
    const [message = ''] = stack.split(/\n\s+at /, 1);
    if (listDifferentValues(diff).every((value) => message.includes(value))) continue;
    error.stack = `${message}\n${diff}${stack.slice(message.length)}`;
  }
  for (const task of tasks) addDifferences(task);
}

/** Lists the lines of values that differ, which a message may have too; after the difference was added, it has all. */
function listDifferentValues(diff: string): readonly string[] {
  return stripVTControlCharacters(diff)
    .split('\n')
    .filter((line) => /^(?:[+-] (?! ?(?:Expected|Received)\b)|Expected: |Received: )/.test(line))
    .map((line) => line.replace(/^(?:[+-]|\w+:) +["']?|["'],?$/g, ''));
}

// Vitest loads the default export of a reporter.
// oxlint-disable-next-line import/no-default-export -- the name is vitest's
export { DifferenceReporter as default };
