import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { formatQuantity } from '@bae/workspace';
import type { TestCase, TestModuleResult } from './test-report.ts';

export interface ResultStyle {
  /** Returns the name of a file: a module's address. */
  readonly nameOf: (file: string) => string;
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

/** Renders the failed tests with their errors, by module. */
export function renderFailures(results: readonly TestModuleResult[], style: ResultStyle): string {
  return results
    .map((result) => ({ ...result, cases: result.cases.filter(({ status }) => status === 'failed') }))
    .filter(({ failure, cases }) => failure !== '' || cases.length > 0)
    .map((result) => renderTestModule(result, style))
    .join('\n');
}

/** Renders all tests of a module with their results. */
export function renderTestModule(result: TestModuleResult, style: ResultStyle): string {
  const { file, cases, failure } = result;
  const lines = cases.flatMap(({ titles, status, failure: reason }) => [
    `  ${MARKS[status]} ${titles.join(' > ')}`,
    ...renderFailure(reason, result, style).map((line) => `       ${line}`),
  ]);
  const whole = renderFailure(failure, result, style).map((line) => `  ${line}`);
  return [style.nameOf(file), ...whole, ...lines].join('\n');
}

/** Renders the message, and the place in the project where it was thrown. */
function renderFailure(
  failure: string,
  { file, folder }: TestModuleResult,
  { nameOf, most = MOST_LINES, restOf }: ResultStyle,
): readonly string[] {
  if (failure === '') return [];
  const lines = stripVTControlCharacters(failure).split('\n');
  const places = lines.map((line) => nameFailurePlace(line, folder, nameOf));
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
    ...(left > 0 ? [`… ${left} more lines${tag}`] : []),
    ...(at < 0 ? [] : [`at ${places[at]}`]),
  ];
}

/** A path with a line, at the end of a line of a stack, or above the message of an error that node prints. */
const PLACE =
  /(?:^\s*(?:at )?|[('"]|\bat )(?:async )?(?:file:\/\/)?([^()'":]+):(\d+):\d+[)'"]?$|^(?:file:\/\/)?(\/.+):(\d+)$/;

/** Returns the place in the project that a line of an error names: `queue.test:7`. */
function nameFailurePlace(line: string, folder: string | undefined, nameOf: ResultStyle['nameOf']): string | undefined {
  const [, path, row, header, headerRow] = PLACE.exec(line) ?? [];
  const given = path ?? header;
  if (given === undefined) return undefined;
  const file = folder === undefined || given.startsWith('/') ? given : join(folder, given);
  const name = nameOf(file);
  return name === file ? undefined : `${name}:${row ?? headerRow}`;
}

/** A line of a difference, and the line that explains its signs. */
const DIFFERENT = /^\s*[+-](?:\s|$)/;
const LEGEND = /^\s*(?:[+-] (?:expected|received|actual)\b|\+ actual - expected)/i;
/** Lines at the start of a message, and before the first difference, that are kept. */
const [HEAD, BEFORE] = [2, 1];

/**
 * Shortens a message to a number of lines: its start, or a few lines of it and those from the first difference, with
 * undefined for the lines between them.
 */
function shortenMessage(message: readonly string[], most: number): readonly (string | undefined)[] {
  if (message.length <= most) return message;
  const differs = message.findIndex((line) => DIFFERENT.test(line) && !LEGEND.test(line));
  const from = differs - BEFORE;
  if (differs <= most / 2 || from <= HEAD) return message.slice(0, most);
  return [...message.slice(0, HEAD), undefined, ...message.slice(from, from + most - HEAD - 1)];
}
