import { stripVTControlCharacters } from 'node:util';

/** The result of one test. */
interface TestCase {
  /** Titles of the groups around it, outermost first, and its own. */
  readonly titles: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The error with its stack; empty when the test did not fail. */
  readonly failure: string;
}

/** The result of a test module. */
export interface TestModuleResult {
  /** Absolute path. */
  readonly file: string;
  readonly cases: readonly TestCase[];
  /** Why the module as a whole failed; empty when it did not. */
  readonly failure: string;
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** Parses a report in the format of jest, as vitest, jest and our reporter for node:test write it; else undefined. */
export function parseTestReport(report: string): readonly TestModuleResult[] | undefined {
  try {
    const { testResults } = JSON.parse(report) as JsonReport;
    return testResults.map(parseModule);
  } catch {
    return undefined;
  }
}

function parseModule({ name, message = '', assertionResults }: JsonReport['testResults'][number]): TestModuleResult {
  const cases = assertionResults.map<TestCase>(({ ancestorTitles, title, status, failureMessages }) => ({
    titles: [...ancestorTitles, title],
    status: status === 'passed' || status === 'failed' ? status : 'skipped',
    failure: (failureMessages ?? []).join('\n'),
  }));
  // jest repeats the failures of the tests here.
  const failure = cases.some(({ status }) => status === 'failed') ? '' : message;
  return { file: name, cases, failure };
}

export interface ResultStyle {
  /** Names a file: a module by its address. */
  readonly nameOf: (file: string) => string;
  /** Lines of a failure that are shown. Default: 8. */
  readonly most?: number;
}

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;
const MOST_LINES = 8;

/** A line of totals: `3 passed, 1 failed, 2 skipped`. */
export function renderTotals(results: readonly TestModuleResult[]): string {
  const cases = results.flatMap((result) => result.cases);
  const count = (status: TestCase['status']): number => cases.filter((one) => one.status === status).length;
  const broken = results.filter(({ failure }) => failure !== '').length;
  const parts = [
    `${count('passed')} passed`,
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} skipped`] : []),
    ...(broken > 0 ? [`${broken} broken ${broken === 1 ? 'module' : 'modules'}`] : []),
  ];
  return parts.join(', ');
}

/** The failed tests with their errors, by module. */
export function renderFailures(results: readonly TestModuleResult[], style: ResultStyle): string {
  return results
    .map((result) => ({ ...result, cases: result.cases.filter(({ status }) => status === 'failed') }))
    .filter(({ failure, cases }) => failure !== '' || cases.length > 0)
    .map((result) => renderTestModule(result, style))
    .join('\n');
}

/** All tests of a module with their results. */
export function renderTestModule({ file, cases, failure }: TestModuleResult, style: ResultStyle): string {
  const lines = cases.flatMap(({ titles, status, failure: reason }) => [
    `  ${MARKS[status]} ${titles.join(' > ')}`,
    ...renderFailure(reason, style).map((line) => `       ${line}`),
  ]);
  return [style.nameOf(file), ...renderFailure(failure, style).map((line) => `  ${line}`), ...lines].join('\n');
}

/** The message, and where in the project it was thrown. */
function renderFailure(failure: string, { nameOf, most = MOST_LINES }: ResultStyle): readonly string[] {
  if (failure === '') return [];
  const lines = stripVTControlCharacters(failure).split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const message = (first < 0 ? lines : lines.slice(0, first)).filter((line) => line.trim() !== '');
  const place = lines
    .map((line) => /\(?(?:file:\/\/)?(\/[^()]+?):(\d+):\d+\)?$/.exec(line))
    .find((match) => match !== null && nameOf(match[1] as string) !== match[1]);
  const more = message.length > most ? [`… ${message.length - most} more lines`] : [];
  return [...message.slice(0, most), ...more, ...(place ? [`at ${nameOf(place[1] as string)}:${place[2]}`] : [])];
}
