import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestModuleResult } from './test-result.ts';

/** How files are called in what is shown. */
export type NameOf = (file: string) => string;

/** What results are shown with. */
export interface ResultWords {
  readonly nameOf: NameOf;
  /** Lines of a failure that are shown. Default: 8. */
  readonly most?: number;
}

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;
const LONGEST_FAILURE = 8;

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

/** What failed, with the reason, by module. */
export function renderFailures(results: readonly TestModuleResult[], words: ResultWords): string {
  return results
    .filter(({ failure, cases }) => failure !== '' || cases.some(({ status }) => status === 'failed'))
    .map((result) =>
      renderModule({ ...result, cases: result.cases.filter(({ status }) => status === 'failed') }, words),
    )
    .join('\n');
}

/** All tests of a module, each with what came of it. */
export function renderModule({ file, cases, failure }: TestModuleResult, words: ResultWords): string {
  const lines = cases.flatMap(({ titles, status, failure: reason }) => [
    `  ${MARKS[status]} ${titles.join(' > ')}`,
    ...renderFailure(reason, words).map((line) => `       ${line}`),
  ]);
  return [words.nameOf(file), ...renderFailure(failure, words).map((line) => `  ${line}`), ...lines].join('\n');
}

/** The message, and where in the project it was thrown. */
function renderFailure(failure: string, { nameOf, most = LONGEST_FAILURE }: ResultWords): readonly string[] {
  if (failure === '') return [];
  const lines = stripVTControlCharacters(failure).split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const message = (first < 0 ? lines : lines.slice(0, first)).filter((line) => line.trim() !== '');
  const place = lines
    .map((line) => /\(?(?:file:\/\/)?(\/[^()]+?):(\d+):\d+\)?$/.exec(line))
    .find((match) => match !== null && nameOf(match[1] as string) !== match[1]);
  const shown = message.slice(0, most);
  const more = message.length > shown.length ? [`… ${message.length - shown.length} more lines`] : [];
  return [...shown, ...more, ...(place ? [`at ${nameOf(place[1] as string)}:${place[2]}`] : [])];
}
