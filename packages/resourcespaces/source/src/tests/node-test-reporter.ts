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
  let deepest = 0;
  for await (const { type, data } of events) {
    if (type === 'test:stderr') {
      const path = resolve(data.file);
      printed.set(path, (printed.get(path) ?? '') + data.message);
    }
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
      file.message = (failure && findCrash(printed.get(data.file) ?? '')) || failure;
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

/** Finds the error with which node ends a program: the place, the code, the message and the stack; `''` if none. */
function findCrash(text: string): string {
  return /^(?:file:\/\/)?\/.+:\d+\n[^]*/m.exec(text)?.[0].replace(/\n\nNode\.js v.*\s*$/, '') ?? '';
}

function getFailureMessage(error: Error & { readonly cause?: unknown }): string {
  const { cause } = error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : error.message;
}

// Node loads the default export of a reporter.
// oxlint-disable-next-line import/no-default-export -- the name is node's
export { report as default };
