// A reporter for `node --test`, which writes one line of JSON in jest's format at the end. It runs in the process of
// the tests and imports no other file of this package.
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import type { JsonOutcome, ProgressLine } from './test-report.ts';

async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, { assertionResults: JsonOutcome[]; message: string }>();
  const titles: string[] = [];
  /** What the programs of files printed to standard error, by path. */
  const printed = new Map<string, string>();
  /** What the runner says of files: errors that were thrown when no test ran. */
  const said = new Map<string, string>();
  let deepest = 0;
  const progress = new Progress(printed);
  for await (const event of events) {
    const { type, data } = event;
    progress.note(event);
    if (type === 'test:stderr') {
      const path = resolve(data.file);
      printed.set(path, (printed.get(path) ?? '') + data.message);
    }
    if (type === 'test:diagnostic' && data.message.startsWith('Error: ')) said.set(data.file ?? '', data.message);
    if (type === 'test:start') {
      titles[data.nesting] = data.name;
      deepest = data.nesting;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const file = files.get(data.file ?? '') ?? { assertionResults: [], message: '' };
    files.set(data.file ?? '', file);
    if (data.skip === LEFT_OUT) continue;
    const isGroup = deepest > data.nesting || data.details.type === 'suite';
    deepest = data.nesting;
    const failure = type === 'test:fail' ? getFailureMessage(data.details.error) : '';
    if (isGroup) continue;
    // A file that ends without results, because it could not be loaded, is reported as a test.
    if (data.file !== undefined && data.nesting === 0 && resolve(data.name) === data.file) {
      const output = printed.get(data.file) ?? '';
      if (type === 'test:fail')
        file.message = findCrash(output) || takeSaid(said, data.file) || describeFileEnd(data.details.error, output);
      continue;
    }
    const skipped = data.skip !== undefined || data.todo !== undefined;
    file.assertionResults.push({
      ancestorTitles: titles.slice(0, data.nesting),
      title: data.name,
      status: skipped ? 'pending' : type === 'test:pass' ? 'passed' : 'failed',
      failureMessages: failure === '' ? [] : [failure],
    });
  }
  const testResults = [...files].map(([name, results]) => ({ name, ...results }));
  yield `${JSON.stringify({ testResults })}\n`;
}

/** Takes what the runner says of a file; Node before 22 does not name the file, which ends next. */
function takeSaid(said: Map<string, string>, file: string): string | undefined {
  const unnamed = said.get('');
  said.delete('');
  return said.get(file) ?? unnamed;
}

/** What Node before 22 says of a test with another name, which it reports as skipped. */
const LEFT_OUT = 'test name does not match pattern';

/** Writes which files and tests have begun and ended, at once: the results of a file wait for those of files before it. */
class Progress {
  readonly #files = new Map<string, { readonly titles: string[]; readonly outcomes: JsonOutcome[] }>();
  readonly #path = `${/--test-reporter-destination=(\S+)/.exec(process.execArgv.join(' '))?.[1] ?? ''}.progress`;
  readonly #printed: ReadonlyMap<string, string>;

  constructor(printed: ReadonlyMap<string, string>) {
    this.#printed = printed;
  }

  note({ type, data }: TestEvent): void {
    if (type !== 'test:dequeue' && type !== 'test:complete') return;
    const file = data.file ?? '';
    const isFile = data.nesting === 0 && resolve(data.name) === file;
    if (type === 'test:dequeue' && isFile) this.#files.set(file, { titles: [], outcomes: [] });
    const { titles, outcomes } = this.#files.get(file) ?? { titles: [], outcomes: [] };
    if (type === 'test:dequeue') {
      titles.splice(data.nesting, Infinity, data.name);
      this.#write({ file, begun: true, ...(!isFile && { title: data.name }) });
      return;
    }
    const error = data.details.passed ? undefined : data.details.error;
    const failure = error === undefined ? '' : getFailureMessage(error);
    if (isFile) {
      const output = this.#printed.get(file) ?? '';
      const hasFailed = error !== undefined && outcomes.every(({ status }) => status !== 'failed');
      const message = hasFailed ? findCrash(output) || describeFileEnd(error, output) : '';
      this.#write({ file, ended: { name: file, message, assertionResults: outcomes } });
    } else if (data.skip !== LEFT_OUT && titles.length === data.nesting + 1) {
      const status = data.skip !== undefined || data.todo !== undefined ? 'pending' : error ? 'failed' : 'passed';
      const ancestorTitles = titles.slice(0, data.nesting);
      outcomes.push({ ancestorTitles, title: data.name, status, failureMessages: failure === '' ? [] : [failure] });
    }
  }

  #write(line: ProgressLine): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}

/**
 * Finds the error with which node ends a program: the place, the code, the message and the stack; `''` if none. If node
 * itself threw it, only the message and the stack.
 */
function findCrash(text: string): string {
  const own = /^(?:file:\/\/)?\/.+:\d+\n[^]*/m.exec(text)?.[0];
  const found = own ?? /^node:.+:\d+\n[^]*?^(\w*Error\b[^]*)/m.exec(text)?.[1] ?? '';
  return found.replace(/\s*\n\nNode\.js v.*\s*$/, '');
}

/** Maximum length of what a file printed that is shown instead of an error, in characters. */
const LONGEST_OUTPUT = 1000;

/** Describes the end of a file that failed by itself and not by a test. */
function describeFileEnd(
  error: Error & { readonly exitCode?: unknown; readonly signal?: unknown },
  output: string,
): string {
  const { exitCode, signal } = (error.cause as typeof error | undefined) ?? error;
  const code = exitCode ?? error.exitCode;
  const how = typeof code === 'number' ? `code ${code}` : typeof signal === 'string' ? signal : undefined;
  const fact = how === undefined ? getFailureMessage(error) : `the file ended with ${how} and without an error`;
  return `${fact}\n${output.trim().slice(-LONGEST_OUTPUT)}`.trim();
}

function getFailureMessage(error: Error & { readonly cause?: unknown }): string {
  const { cause } = error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : error.message;
}

// Node loads the default export of a reporter.
// oxlint-disable-next-line import/no-default-export -- the name is node's
export { report as default };
