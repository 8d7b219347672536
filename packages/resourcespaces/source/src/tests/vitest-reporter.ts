// A reporter for vitest, whose report in JSON lacks the difference between the values that a test compared: it is added
// to the error, which the reporter behind this one writes. It runs in the process of the tests and imports no other file of this package.
import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { JsonOutcome, ProgressLine } from './test-report.ts';

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

/** A test or group of vitest 3 and later. */
interface RanTest {
  readonly name: string;
  readonly module: RanModule;
  readonly parent: RanTest | RanModule;
  result?(): { readonly state: string; readonly errors?: readonly FailedError[] };
}

interface RanModule {
  readonly moduleId: string;
  readonly children?: { allTests(): Iterable<RanTest> };
  errors?(): readonly FailedError[];
}

interface Vitest {
  readonly config?: { readonly outputFile?: string | Readonly<Record<string, string>> };
  readonly state?: { getFiles?(): readonly FailedTask[] };
}

class DifferenceReporter {
  #vitest: Vitest = {};

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  // These are called by vitest 3 and later: a report in JSON is only written at the end. A file is queued just before it
  // is loaded, which may never end.
  onTestModuleQueued({ moduleId: file }: RanModule): void {
    this.#write({ file, begun: true });
  }

  /** Vitest 3 says nothing more of a file that could not be loaded or has no tests. */
  onTestModuleCollected(module: RanModule): void {
    const [first] = module.children?.allTests() ?? [];
    if (first === undefined) this.onTestModuleEnd(module);
  }

  onTestModuleStart({ moduleId: file }: RanModule): void {
    this.#write({ file, begun: true });
  }

  onTestCaseReady({ name, module: { moduleId: file } }: RanTest): void {
    this.#write({ file, begun: true, title: name });
  }

  onTestModuleEnd(module: RanModule): void {
    const file = module.moduleId;
    const message = (module.errors?.() ?? []).map(getErrorText).join('\n');
    const assertionResults = [...(module.children?.allTests() ?? [])].map(describeRanTest);
    this.#write({ file, ended: { name: file, message, assertionResults } });
  }

  #write(line: ProgressLine): void {
    const { outputFile } = this.#vitest.config ?? {};
    const report = typeof outputFile === 'object' ? outputFile['json'] : outputFile;
    if (report !== undefined) appendFileSync(`${report}.progress`, `${JSON.stringify(line)}\n`);
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

function describeRanTest(test: RanTest): JsonOutcome {
  const { state = '', errors = [] } = test.result?.() ?? {};
  const groups: string[] = [];
  for (let at = test.parent; 'name' in at; at = at.parent) groups.unshift(at.name);
  return { ancestorTitles: groups, title: test.name, status: state, failureMessages: errors.map(getErrorText) };
}

function getErrorText({ stack, message }: FailedError): string {
  return stack ?? message ?? '';
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
