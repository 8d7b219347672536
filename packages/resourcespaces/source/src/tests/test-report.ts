import { stripVTControlCharacters } from 'node:util';
import { readDiagnosis } from './tap-diagnosis.ts';

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

/**
 * Parses the output of one file in the Test Anything Protocol, with groups as indented subtests; returns undefined for
 * other output. Source: https://testanything.org/tap-version-14-specification.html
 */
export function parseTap(output: string, file: string): TestModuleResult | undefined {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  if (!lines.some((line) => /^TAP version \d+|^\s*1\.\.\d+/.test(line))) return undefined;
  const cases: TestCase[] = [];
  const groups: { readonly depth: number; readonly title: string }[] = [];
  let failure = '';
  const isIndented = lines.some((line) => /^ +(?:not )?ok\b/.test(line));
  for (const [at, line] of lines.entries()) {
    const depth = /^ */.exec(line)![0].length;
    const title =
      /^ *# Subtest: (.*)$/.exec(line)?.[1] ?? /^# (?!tests |pass |fail |skip|todo|time|ok$)(\S.*)$/.exec(line)?.[1];
    if (title !== undefined) {
      while (groups.length > 0 && groups.at(-1)!.depth >= depth) groups.pop();
      groups.push({ depth, title });
      continue;
    }
    if (/^ *Bail out!/.test(line)) failure = line.trim();
    const found = /^ *(not )?ok\b\s*\d*\s*(?:- )?(.*)$/.exec(line);
    if (found === null) continue;
    const [, not, said = ''] = found;
    const [, name = said, directive = ''] = /^(.*?)\s+#\s*(skip|todo)\b.*$/i.exec(said) ?? [];
    const bare = name
      .replace(/\s+#\s*time=\S+$/, '')
      .replace(/\s*\{$/, '')
      .trim();
    // The line for a group follows its members.
    const group = groups.findLast((one) => one.title === bare && one.depth >= depth);
    const hasMembers = group !== undefined && cases.some(({ titles }) => titles.length > 1 && titles.includes(bare));
    if (hasMembers && lines[at - 1]?.startsWith(' ')) continue;
    // Members of a group are indented deeper than the line with its name, except for groups that only comments name.
    const around = groups.filter((one) => one.title !== bare && (one.depth < depth || (depth === 0 && !isIndented)));
    const titles = around.map((one) => one.title);
    const status = directive !== '' ? 'skipped' : not === undefined ? 'passed' : 'failed';
    const reason = status === 'failed' ? readDiagnosis(lines, at + 1) || bare : '';
    cases.push({ titles: [...titles, bare], status, failure: reason });
  }
  // Failures of a file that planned no tests are its own: it could not be loaded.
  const isUnloaded = lines.some((line) => /^1\.\.0\b/.test(line)) && cases.every(({ status }) => status === 'failed');
  const [first] = cases;
  return isUnloaded && first !== undefined
    ? { file, cases: [], failure: failure || first.failure }
    : { file, cases, failure };
}
