import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { formatQuantity } from '@bae/workspace';
import type { TestCase, TestModuleResult } from './test-report.ts';

export interface ResultStyle {
  /** Returns the name of a file: a module's address. */
  readonly nameOf: (file: string) => string;
  /** Returns the path of a module in the project; undefined for other files. */
  readonly pathOf: (file: string) => string | undefined;
  /** Returns the line at which a test begins, by the titles of its groups and its own. Default: unknown. */
  readonly lineOf?: (file: string, titles: readonly string[]) => number | undefined;
  /** Maximum number of lines shown for a failure. Default: 8. */
  readonly most?: number;
  /** Returns the tag that shows the lines that are left out, by the name of the module. Default: they are counted only. */
  readonly restOf?: (name: string) => string;
}

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;
const MOST_LINES = 8;

export function hasFailed(results: readonly TestModuleResult[]): boolean {
  return results.some(({ failure, cases }) => failure !== '' || cases.some(({ status }) => status === 'failed'));
}

/** Renders a line of totals: `3 passed, 1 failed, 2 skipped`; for files whose tests are unknown, `1 file passed`. */
export function renderTotals(results: readonly TestModuleResult[]): string {
  const cases = results.flatMap((result) => result.cases);
  const count = (status: TestCase['status']): number => cases.filter((one) => one.status === status).length;
  const broken = results.filter(({ failure }) => failure !== '').length;
  const whole = results.filter(({ failure, isWhole }) => isWhole && failure === '').length;
  const parts = [
    ...(whole > 0 ? [`${formatQuantity(whole, 'file')} passed`] : []),
    ...(whole === 0 || cases.length > 0 ? [`${count('passed')} passed`] : []),
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} skipped`] : []),
    ...(broken > 0 ? [`${broken} broken ${broken === 1 ? 'module' : 'modules'}`] : []),
  ];
  return parts.join(', ');
}

/** Renders the failed tests with their errors, by module; an error that several have, only with the first of them. */
export function renderFailures(results: readonly TestModuleResult[], style: ResultStyle): string {
  const repeats = new Map<string, { file: string; titles: readonly string[] }[]>();
  const isFirst = (file: string, { titles, failure }: Pick<TestCase, 'titles' | 'failure'>): boolean => {
    const key = makeFailureKey({ titles, failure });
    const known = repeats.get(key);
    if (known === undefined) repeats.set(key, []);
    else known.push({ file, titles });
    return known === undefined;
  };
  const firsts = results.map((result) => {
    const { file, failure } = result;
    const hasOwn = failure !== '' && isFirst(file, { titles: [], failure });
    const cases = result.cases.filter((one) => one.status === 'failed' && isFirst(file, one));
    return { ...result, failure: hasOwn ? failure : '', cases };
  });
  return firsts
    .filter(({ failure, cases }) => failure !== '' || cases.length > 0)
    .map((result) => renderTestModule(result, style, (one) => repeats.get(makeFailureKey(one)) ?? []))
    .join('\n');
}

/** Returns what the failures of tests, or of whole modules, have in common. A failure without a message is its own. */
function makeFailureKey({ titles, failure }: Pick<TestCase, 'titles' | 'failure'>): string {
  const [message = ''] = stripVTControlCharacters(failure).split(/\n\s+at /, 1);
  return JSON.stringify(message.trim() === '' ? titles : [titles.length === 0, message]);
}

/** The tests that failed with the same error as another one. */
type FindRepeats = (
  one: Pick<TestCase, 'titles' | 'failure'>,
) => readonly { readonly file: string; readonly titles: readonly string[] }[];

/** Renders all tests of a module with their results. */
export function renderTestModule(result: TestModuleResult, style: ResultStyle, find: FindRepeats = () => []): string {
  const { file, cases, failure } = result;
  const render = (one: Pick<TestCase, 'titles' | 'failure'>): readonly string[] => [
    ...renderFailure(one, result, style),
    ...renderRepeats(find(one), file, style),
  ];
  const lines = cases.flatMap(({ titles, status, failure: reason }) => [
    `  ${MARKS[status]} ${titles.join(' > ')}`,
    ...render({ failure: reason, titles }).map((line) => `       ${line}`),
  ]);
  const whole = render({ failure, titles: [] }).map((line) => `  ${line}`);
  return [style.nameOf(file), ...whole, ...lines].join('\n');
}

/** Maximum number of tests that are named because they failed as another one did. */
const MOST_REPEATS = 12;

/** Names the tests that failed as another one did, with the lines at which they begin. */
function renderRepeats(
  repeats: ReturnType<FindRepeats>,
  first: string,
  { nameOf, lineOf, most = MOST_LINES }: ResultStyle,
): readonly string[] {
  if (repeats.length === 0) return [];
  const named = repeats.slice(0, most === Infinity ? most : MOST_REPEATS).map(({ file, titles }) => {
    const line = lineOf?.(file, titles);
    const parts = [...(file === first ? [] : [nameOf(file)]), ...titles];
    return `${parts.join(' > ')}${line === undefined ? '' : ` :${line}`}`;
  });
  const more = repeats.length > named.length ? `; +${repeats.length - named.length}` : '';
  return [`the same in ${repeats.length} more: ${named.join('; ')}${more}`];
}

/** Renders the message, and the place in the project where it was thrown. */
function renderFailure(
  { failure, titles }: Pick<TestCase, 'failure' | 'titles'>,
  result: TestModuleResult,
  style: ResultStyle,
): readonly string[] {
  if (failure === '') return [];
  const { nameOf, most = MOST_LINES, restOf } = style;
  const { file } = result;
  const lines = stripVTControlCharacters(failure).split('\n');
  const places = lines.map((line) => findProjectPlace(line, result, style));
  const at = places.findIndex((place) => place !== undefined);
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const message = (first < 0 ? lines : lines.slice(0, first)).filter(
    (line, index) => line.trim() !== '' && index !== at,
  );
  const shown = shortenMessage(message, most);
  const left = message.length - shown.filter((line) => line !== undefined).length;
  const tag = restOf === undefined ? '' : `: ${restOf(nameOf(file))}`;
  return [
    ...shown.map((line) => line ?? '…'),
    ...(left > 0 ? [`… ${formatQuantity(left, 'more line')}${tag}`] : []),
    ...describeFailurePlace(
      places.filter((place) => place !== undefined),
      { file, titles },
      style,
    ),
  ];
}

/** Describes where a test failed: where it threw, and where the test called that, or at least where the test begins. */
function describeFailurePlace(
  places: readonly string[],
  { file, titles }: { readonly file: string; readonly titles: readonly string[] },
  { pathOf, lineOf }: ResultStyle,
): readonly string[] {
  const own = pathOf(file);
  const [thrown] = places;
  if (thrown?.startsWith(`${own}:`)) return [`at ${thrown}`];
  const caller = places.find((place) => place.startsWith(`${own}:`));
  const line = own === undefined || caller !== undefined ? undefined : lineOf?.(file, titles);
  const from = caller === undefined ? line && `in the test at ${own}:${line}` : `called at ${caller}`;
  const parts = [thrown && `at ${thrown}`, from].filter((part) => part !== undefined);
  return parts.length === 0 ? [] : [parts.join(', ')];
}

/** A path with a line, at the end of a line of a stack, or above the message of an error that node prints. */
const PLACE =
  /(?:^\s*(?:at )?|[('"]|\bat )(?:async )?(?:file:\/\/)?([^()'":]+):(\d+):\d+[)'"]?$|^(?:file:\/\/)?(\/.+):(\d+)$/;

/** Returns the place in the project that a line of an error names, as it can be read: `test/queue.test.ts:7`. */
function findProjectPlace(
  line: string,
  { folder }: Pick<TestModuleResult, 'folder'>,
  { pathOf }: ResultStyle,
): string | undefined {
  const [, path, row, header, headerRow] = PLACE.exec(line) ?? [];
  const given = path ?? header;
  if (given === undefined) return undefined;
  const own = pathOf(folder === undefined || given.startsWith('/') ? given : join(folder, given));
  return own === undefined ? undefined : `${own}:${row ?? headerRow}`;
}

/** A line of a difference, and the line that explains its signs. */
const DIFFERENT = /^\s*[+-](?:\s|$)/;
const LEGEND = /^\s*(?:[+-] (?:expected|received|actual)\b|\+ actual - expected)/i;
/** A line that names the value that was expected or found. */
const VALUE = /^\s*(?:["'`]|(?:---|\+\+\+) )?(?:expected|received|actual|wanted|found|got)\b/i;
/** The line above a part of a unified difference, in which nothing stands between the sign and the text. */
const HUNK = /^\s*@@ .+ @@/;
/** Number of lines at the start of a message that are kept. */
const HEAD = 2;

/**
 * Shortens a message to a number of lines, with undefined for those between them: its start, then what differs and what
 * was expected, then the lines nearest to these.
 */
function shortenMessage(message: readonly string[], most: number): readonly (string | undefined)[] {
  if (message.length <= most) return message;
  const hunk = message.findIndex((line) => HUNK.test(line));
  const telling = [...message.keys()].filter((index) => isTelling(message[index]!, hunk !== -1 && index > hunk));
  const distances = measureDistances(message.length, telling).fill(-1, 0, HEAD);
  // Of many lines with the value that was found, the last ones matter less than those with the value that was expected.
  const bySign = Map.groupBy(telling, (index) => message[index]!.trimStart()[0]);
  const rank = new Map([...bySign.values()].flatMap((group) => group.map((index, at) => [index, at] as const)));
  const kept = [...message.keys()]
    .toSorted((a, b) => distances[a]! - distances[b]! || (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || a - b)
    .slice(0, most);
  const shown = kept.toSorted((a, b) => a - b);
  return shown.flatMap((index, at) => {
    const isAfterGap = at > 0 && index > shown[at - 1]! + 1;
    return isAfterGap ? [undefined, message[index]] : [message[index]];
  });
}

/** Measures the distance of each index to the nearest of some, in ascending order; the length if there is none. */
function measureDistances(length: number, places: readonly number[]): number[] {
  let next = 0;
  return Array.from({ length }, (_, index) => {
    while (next < places.length && places[next]! < index) next++;
    const around = [places[next - 1], places[next]].filter((place) => place !== undefined);
    return Math.min(length, ...around.map((place) => Math.abs(place - index)));
  });
}

function isTelling(line: string, isInDiff: boolean): boolean {
  return (DIFFERENT.test(line) && !LEGEND.test(line)) || VALUE.test(line) || (isInDiff && /^\s*[+-]/.test(line));
}
