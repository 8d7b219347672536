/** One test that was run, or left out. */
export interface TestCase {
  /** Titles of the groups around it, outermost first, and its own. */
  readonly titles: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped';
  /** What failed, with the stack; empty when nothing did. */
  readonly failure: string;
}

/** What came of a test module. */
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

/**
 * Reads what vitest, jest and our reporter for node:test write: a report in the format of jest. Undefined when it is
 * none.
 */
export function parseTestReport(report: string): readonly TestModuleResult[] | undefined {
  try {
    const { testResults } = JSON.parse(report) as JsonReport;
    return testResults.map(readModule);
  } catch {
    return undefined;
  }
}

function readModule({ name, message = '', assertionResults }: JsonReport['testResults'][number]): TestModuleResult {
  const cases = assertionResults.map<TestCase>(({ ancestorTitles, title, status, failureMessages }) => ({
    titles: [...ancestorTitles, title],
    status: status === 'passed' || status === 'failed' ? status : 'skipped',
    failure: (failureMessages ?? []).join('\n'),
  }));
  // jest repeats here what is in the tests.
  const failure = cases.some(({ status }) => status === 'failed') ? '' : message;
  return { file: name, cases, failure };
}
