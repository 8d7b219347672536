import { relative } from 'node:path';

/** A test and its result. */
export interface TestCase {
  /** Titles of the enclosing groups, outermost first, and its own. */
  readonly titles: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The error with its stack; empty when the test did not fail. */
  readonly failure: string;
}

/** The result of a test module. */
export interface TestModuleResult {
  readonly file: string;
  readonly cases: readonly TestCase[];
  /** The reason why the module as a whole failed; empty when it did not. */
  readonly failure: string;
  /** True for a file whose individual tests are unknown. */
  readonly isWhole?: boolean;
  /** Absolute path of the folder that relative paths in its failures start from, if there are any. */
  readonly folder?: string;
}

/** A test in a report in jest's format. */
export interface JsonOutcome {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[] | null;
}

/** A file in a report in jest's format. */
export interface JsonModule {
  readonly name: string;
  readonly message?: string;
  readonly assertionResults: readonly JsonOutcome[];
}

/**
 * Parses a report in jest's format, as written by vitest, jest and our reporter for node:test; returns undefined for
 * other texts.
 *
 * @param pending meaning of the status `pending`: in jest a skipped test, in vitest a test that never ended
 */
export function parseTestReport(
  report: string,
  pending: 'skipped' | 'unfinished' = 'skipped',
): readonly TestModuleResult[] | undefined {
  try {
    const { testResults } = JSON.parse(report) as { readonly testResults: readonly JsonModule[] };
    return testResults.map((one) => parseTestModule(one, pending));
  } catch {
    return undefined;
  }
}

/** Reads the results of a file in jest's format. */
export function parseTestModule(
  { name, message = '', assertionResults }: JsonModule,
  pending: 'skipped' | 'unfinished' = 'skipped',
): TestModuleResult {
  const cases = assertionResults.map<TestCase>(({ ancestorTitles, title, status, failureMessages }) => ({
    titles: [...ancestorTitles, title],
    status: status === 'passed' || status === 'failed' ? status : 'skipped',
    failure: (failureMessages ?? []).join('\n'),
  }));
  const unfinished = assertionResults.filter(({ status }) => pending === 'unfinished' && status === 'pending');
  if (unfinished.length > 0) {
    const titles = unfinished.map(({ title }) => title).join(', ');
    return {
      file: name,
      cases: cases.filter((_, at) => !unfinished.includes(assertionResults[at]!)),
      failure: `crashed before these tests ended: ${titles}`,
    };
  }
  // jest repeats the failures of the tests in the message.
  const failure = cases.some(({ status }) => status === 'failed') ? '' : message;
  return { file: name, cases, failure };
}

interface MochaTest {
  readonly title: string;
  readonly fullTitle: string;
  readonly file?: string | null;
  readonly pending?: boolean;
  readonly err?: {
    readonly message?: string;
    readonly stack?: string;
    /** The values that were compared, as text. */
    readonly expected?: unknown;
    readonly actual?: unknown;
  };
}

/** Parses a JSON report of mocha; returns undefined for other texts. */
export function parseMochaReport(report: string): readonly TestModuleResult[] | undefined {
  try {
    const { tests, pending } = JSON.parse(report) as Readonly<Record<'tests' | 'pending', readonly MochaTest[]>>;
    const skipped = new Set(pending.map(({ fullTitle }) => fullTitle));
    const byFile = Map.groupBy(tests, ({ file }) => file ?? '');
    return [...byFile].map(([file, tests]) => ({
      file,
      failure: '',
      cases: tests.map(({ title, fullTitle, err = {} }) => {
        const group = fullTitle.slice(0, fullTitle.length - title.length).trim();
        const failure = addValues(err.stack ?? err.message ?? '', err);
        const status = failure !== '' ? 'failed' : skipped.has(fullTitle) ? 'skipped' : 'passed';
        return { titles: group === '' ? [title] : [group, title], status, failure };
      }),
    }));
  } catch {
    return undefined;
  }
}

/** Adds the values that were compared to a message that lacks them, above its stack. */
function addValues(failure: string, { expected, actual }: Exclude<MochaTest['err'], undefined>): string {
  if (typeof expected !== 'string' || typeof actual !== 'string') return failure;
  const [message = ''] = failure.split(/\n\s+at /, 1);
  if (failure === '' || [expected, actual].every((value) => message.includes(value))) return failure;
  return `${message.trimEnd()}\n${renderDifference(expected, actual).join('\n')}${failure.slice(message.length)}`;
}

/** Renders two values, or the lines in the middle of them that differ, below one that does not. */
function renderDifference(expected: string, actual: string): readonly string[] {
  const [one, other] = [expected.split('\n'), actual.split('\n')];
  if (one.length === 1 && other.length === 1) return [`expected: ${expected}`, `actual: ${actual}`];
  const isSame = (index: number): boolean => index < one.length && one[index] === other[index];
  let start = 0;
  while (isSame(start)) start++;
  let end = 0;
  const least = Math.min(one.length, other.length) - start;
  while (end < least && one.at(-1 - end) === other.at(-1 - end)) end++;
  const middle = (lines: readonly string[], sign: string) =>
    lines.slice(start, lines.length - end).map((line) => `${sign} ${line}`);
  return [
    '- expected + actual',
    ...one.slice(Math.max(0, start - 1), start).map((line) => `  ${line}`),
    ...middle(one, '-'),
    ...middle(other, '+'),
  ];
}

/** A line that a reporter writes while the tests run: a file or a test has begun, or a file waits or has ended. */
export type ProgressLine =
  | { readonly file: string; readonly begun: true; readonly title?: string }
  | { readonly file: string; readonly waits: true }
  | { readonly file: string; readonly ended: JsonModule };

/** How far a runner came. */
export interface TestProgress {
  /** Results of the files that ended. */
  readonly results: readonly TestModuleResult[];
  /** The files that had begun and not ended, with the title of the last test that began, or `''`. */
  readonly running: readonly { readonly file: string; readonly title: string }[];
}

/** Reads what a reporter has written beside its report; a last line that was cut off is left out. */
export function parseProgress(text: string): TestProgress {
  const running = new Map<string, string>();
  const results = new Map<string, TestModuleResult>();
  for (const line of text.split('\n').slice(0, -1)) {
    const one = JSON.parse(line) as ProgressLine;
    if ('begun' in one) {
      running.set(one.file, one.title ?? running.get(one.file) ?? '');
    } else {
      running.delete(one.file);
      if ('ended' in one) results.set(one.file, parseTestModule(one.ended));
    }
  }
  return { results: [...results.values()], running: [...running].map(([file, title]) => ({ file, title })) };
}

/** Adds to the results the files that did not end in time, and what had not even begun. */
export function addUnended(
  { results, running }: TestProgress,
  { files, fact, project }: { readonly files: readonly string[]; readonly fact: string; readonly project: string },
): readonly TestModuleResult[] {
  const known = new Set([...results, ...running].map(({ file }) => file));
  const waiting = files.filter((file) => !known.has(file)).map((file) => relative(project, file));
  return [
    ...results,
    ...running.map(({ file, title }, index) => ({
      file,
      cases: [],
      failure: [
        title === '' ? fact : `${fact} while it ran '${title}'`,
        ...(index === 0 && waiting.length > 0 ? [`not begun by then: ${waiting.join(', ')}`] : []),
      ].join('\n'),
    })),
  ];
}
