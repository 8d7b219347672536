// A reporter for `node --test`, which writes one line of JSON in jest's format at the end. It runs in the process of
// the tests and imports no other file of this package.
import { resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import type { JsonOutcome } from './test-report.ts';

async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, { assertionResults: JsonOutcome[]; message: string }>();
  const titles: string[] = [];
  /** What the programs of files printed to standard error, by path. */
  const printed = new Map<string, string>();
  /** What the runner says of files: errors that were thrown when no test ran. */
  const said = new Map<string, string>();
  let deepest = 0;
  for await (const { type, data } of events) {
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
    const isGroup = deepest > data.nesting || data.details.type === 'suite';
    deepest = data.nesting;
    const failure = type === 'test:fail' ? getFailureMessage(data.details.error) : '';
    if (isGroup) continue;
    // A file that ends without results, because it could not be loaded, is reported as a test.
    if (data.file !== undefined && data.nesting === 0 && resolve(data.name) === data.file) {
      const output = printed.get(data.file) ?? '';
      if (type === 'test:fail')
        file.message = findCrash(output) || said.get(data.file) || describeFileEnd(data.details.error, output);
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
