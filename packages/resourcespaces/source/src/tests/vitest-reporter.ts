// A reporter for vitest, whose report in JSON lacks the difference between the values that a test compared: it is added
// to the error, which the reporter behind this one writes. It runs in the process of the tests and imports no other file of this package.
import { stripVTControlCharacters } from 'node:util';

interface FailedTask {
  readonly tasks?: readonly FailedTask[];
  readonly result?: { readonly errors?: readonly FailedError[] };
}

interface FailedError {
  stack?: string;
  readonly diff?: string;
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
  onTestRunEnd(): void {
    for (const file of this.#vitest.state?.getFiles?.() ?? []) addDifferences(file);
  }

  /** The same for earlier versions. */
  onFinished(): void {
    this.onTestRunEnd();
  }
}

function addDifferences({ tasks = [], result }: FailedTask): void {
  for (const error of result?.errors ?? []) {
    const { stack = '', diff = '' } = error;
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
