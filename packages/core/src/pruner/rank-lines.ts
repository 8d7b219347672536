import type { PruneOptions } from '../protocol/tool-result.ts';
import { isDeclaration, measureIndent } from './declarations.ts';
import { FRAME, NO_ERROR, REPORT_FRAME, isErrorLine, isLibraryFrame, normalizeLine } from './error-lines.ts';
import {
  DETAIL,
  FAILED_TEST,
  OPENS_BLOCK,
  findPrinted,
  hasFailedInside,
  listBlock,
  listReasons,
  rankVitestReport,
} from './failed-tests.ts';
import { SECTION_HEADING, rankPytestReport } from './pytest-report.ts';
import { MUST_STAY, NEXT_ERROR_RANK, REASON_RANK, SHOULD_STAY, type RankedLines } from './ranked-lines.ts';

const WARNING = /\bwarn(?:ing)?\b|⚠/i;
const WARNING_RANK = 6;
/** Rank of a line that is nothing special, and of a verdict that is no failure. */
const USUAL_RANK = 7;
const PASSED_RANK = 7.2;
/** Line with the outcome of a run, as test runners and compilers print it. */
export const SUMMARY =
  /\b\d+ (?:passed|failed|errors?|failing|passing|warnings?|tests?|skipped)\b|^\s*(?:FAILED|BUILD (?:FAILED|SUCCESS)|Tests?:|Test Files)\b/;
const TIMESTAMP = /^\W{0,3}(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d[\d.,Z+:]*\W*/;
/** Number of lines before and after the first error of each kind that are kept with it. */
const CONTEXT_LINES = 2;
/** Number of distinct errors above which similar ones are merged, and number of failed tests that are then kept. */
const MOST_ERRORS = 15;
const MOST_FAILED = 6;
const PATH = /(?:[\w.@-]*\/)+[\w.@-]+/g;
/** Verdict on a test, or on a file of tests. */
const VERDICT = /^\s*(?:ok \d|not ok\b|PASS\b|FAIL\b|[✓✔✗✘✖])/;
const OUTER_VERDICT = 1.4;
/** Rank of an outer verdict that is no failure: there may be hundreds, and none says more than the totals. */
const OUTER_PASS = 4.5;
/** Line with the number of tests that passed or failed, as it stands anywhere in the output of several commands. */
const TEST_TOTAL = /^\W*(?:\d+ (?:tests? )?(?:passed|passing|failed|failing)\b|(?:total|passing|failing):\s+\d+$)/;
const TEST_TOTAL_RANK = 1.3;
/** Number of tests that failed, or of errors. */
const FAILED_TOTAL =
  /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|problems?)\b|\bfail(?:ing|ed)?:? [1-9]/;
/** Total with which node ends a report, `# pass 12` in TAP and `ℹ pass 12` for people; other totals may follow it. */
const NODE_TOTAL = /^[#ℹ] (?:tests|pass|fail) \d+$/;
/** Row of a table of test coverage, and of a file of which nothing is left uncovered. */
const COVERAGE = /^[^|]+\|(?:\s*\d[\d.]*\s*\|){3,}/;
/** Line with which npm names a package and the script of it that begins. */
const NPM_SCRIPT = /^> \S+@\d+\.\d+\.\d+\S* \S/;
const COVERAGE_TOTAL = /^\s*(?:All files\s*\||File\s*\|\s*% Stmts\b)/;
const FULL_COVERAGE = /^[^|]+\|(?:\s*100(?:\.0+)?\s*\|){3,}/;
/** Number of lines at the end of a log that are searched for its summary. */
export const SUMMARY_LINES = 30;
/** Lines before an output that say why a program may have failed only here, and the number of lines they are among. */
const EXPLANATION = /^(?:limit: |ran with Node )/;
const BEFORE_OUTPUT = 8;
/** Heading of a failure in the list that mocha ends with, `  2) math`, and jest has below each file, `  ● math › adds`. */
const FAILURE_HEADING = /^ {0,3}(?:\d+\)|●) \S/;
/** Rank of the error below such a heading, and of its place. */
const FAILURE_RANK = 1.2;
/** Number of lines below a heading that belong to it at most, if no other one follows. */
const FAILURE_LINES = 30;

/**
 * Ranks declarations first, outer ones before inner ones, then the rest from the top; lines are shown with their
 * numbers.
 */
export function rankCode(lines: readonly string[]): RankedLines {
  const ranks = lines.map((line) => {
    if (line.trim() === '') return 4;
    if (!isDeclaration(line)) return 3;
    return /^\s/.test(line) ? 2 : MUST_STAY;
  });
  return { lines, ranks, gaps: 'numbers' };
}

/**
 * Ranks the first line and the summary first, then the first error of each kind; then the lines around errors and the
 * stack frames outside libraries, the end, and the rest, with the first line of each kind before the others. Frames of
 * libraries come last; lines that differ only in their time are counted.
 */
export function rankLog(lines: readonly string[], { succeeded = false }: PruneOptions = {}): RankedLines {
  const ranks = lines.map((line, index) => rankLogLine(line, lines.length - index));
  rankVerdicts(lines, ranks);
  const reported = new Map([...rankPytestReport(lines), ...rankVitestReport(lines)]);
  const known = new Set<string>();
  // Titles of tests that passed may be about errors.
  const hasPassed = succeeded && hasOnlyPassed(lines);
  const isNoError = hasPassed ? isErrorLine : findPrinted(lines);
  for (const { index, block } of chooseErrors(lines, ranks, (line, index) => reported.has(index) || isNoError(line))) {
    const reasons = FAILED_TEST.test(lines[index]!) ? listReasons(lines, index, known) : [];
    for (const place of reasons) ranks[place] = Math.min(ranks[place]!, REASON_RANK);
    for (const place of [...block, ...listContext(lines, index)]) ranks[place] = Math.min(ranks[place]!, 2);
    ranks[index] = Math.min(ranks[index]!, MUST_STAY);
  }
  rankFailures(lines, ranks);
  for (const [index, rank] of reported) ranks[index] = rank;
  ranks[0] = 0;
  for (let index = 1; index < Math.min(BEFORE_OUTPUT, lines.length); index++)
    if (EXPLANATION.test(lines[index]!)) ranks[index] = MUST_STAY;
  if (hasPassed || isSuccess(lines))
    lines.forEach((line, index) => {
      ranks[index] = isTestTitle(lines, index) ? Infinity : tellOfSuccess(line, ranks[index]!);
    });
  const texts = lines.map((line) => line.replace(TIMESTAMP, ''));
  const repeats = new Map<number, number>();
  for (let start = 0, end = 1; start < lines.length; start = end++) {
    while (end < lines.length && texts[end] === texts[start] && texts[start] !== '') ranks[end++] = Infinity;
    if (end - start > 1) repeats.set(start, end - start);
  }
  return { lines, ranks, repeats, shorten: shortenLogLine };
}

/** Leaves out the time of a line, and the rule around a heading. */
function shortenLogLine(line: string): string {
  return line.replace(TIMESTAMP, '').replace(SECTION_HEADING, '$1');
}

/** A line that reports an error, with the lines of the text that it opens. */
interface ReportedError {
  readonly index: number;
  readonly block: readonly number[];
}

/**
 * Finds the first error of each kind, and ranks lines after the first of their kind below it. If these are many, errors
 * that differ only in the paths that they name are of one kind, and so are failed tests after the first ones.
 */
function chooseErrors(
  lines: readonly string[],
  ranks: number[],
  isNoError: (line: string, index: number) => boolean,
): readonly ReportedError[] {
  const kinds = new Set<string>();
  const errors: ReportedError[] = [];
  lines.forEach((line, index) => {
    if (isNoError(line, index)) {
      ranks[index] = Math.max(ranks[index]!, isTestTotal(line) ? 0 : USUAL_RANK);
      return;
    }
    // A test that failed because of those in it says nothing that these do not.
    if (FAILED_TEST.test(line) && hasFailedInside(lines, index)) {
      ranks[index] = NEXT_ERROR_RANK;
      return;
    }
    // Tests are distinguished by their full names, including numbers; errors with the same first line by the lines
    // below.
    const block = OPENS_BLOCK.test(line) && isErrorLine(line) ? listBlock(lines, index) : [];
    const first = FAILED_TEST.test(line) ? line : normalizeLine(line);
    const kind = [first, ...block.map((place) => lines[place])].join('\n');
    const isFirst = !kinds.has(kind);
    kinds.add(kind);
    if (!isFirst) ranks[index]! += 0.5;
    // The line above it often names the file.
    if (isFirst && WARNING.test(line) && index > 0) ranks[index - 1] = Math.min(ranks[index - 1]!, WARNING_RANK);
    if (isFirst && isErrorLine(line)) errors.push({ index, block });
  });
  if (errors.length <= MOST_ERRORS) return errors;
  const known = new Set<string>();
  let failed = 0;
  return errors.filter(({ index }) => {
    const line = lines[index]!;
    const kind = normalizeLine(line).replaceAll(PATH, '#');
    const isKept = VERDICT.test(line) ? ++failed <= MOST_FAILED : !known.has(kind);
    known.add(kind);
    if (!isKept) ranks[index] = Math.min(ranks[index]!, NEXT_ERROR_RANK);
    return isKept;
  });
}

/** Lists the indexes of the lines around an error that may explain it. */
function listContext(lines: readonly string[], at: number): readonly number[] {
  const near = Array.from({ length: 2 * CONTEXT_LINES + 1 }, (_, index) => at - CONTEXT_LINES + index);
  return near.filter((index) => {
    const line = lines[index];
    // Verdicts on other tests do not explain it.
    return line !== undefined && !isLibraryFrame(line) && !REPORT_FRAME.test(line) && !VERDICT.test(line);
  });
}

/** Returns true for the log of a run with totals in which nothing failed. */
function isSuccess(lines: readonly string[]): boolean {
  const hasTotals = lines.slice(-SUMMARY_LINES).some((line) => SUMMARY.test(line) && !VERDICT.test(line));
  return (hasTotals || lines.some(isTestTotal)) && !lines.some(isErrorLine);
}

/** Returns true for a log with totals of tests, none of which failed. */
function hasOnlyPassed(lines: readonly string[]): boolean {
  return lines.some(isTestTotal) && !lines.some((line) => FAILED_TOTAL.test(line));
}

function isTestTotal(line: string): boolean {
  return TEST_TOTAL.test(line) || NODE_TOTAL.test(line);
}

/** Returns true for the title of tests that passed, which stand below it. */
function isTestTitle(lines: readonly string[], index: number): boolean {
  const below = lines[index + 1] ?? '';
  return isPassVerdict(below) && measureIndent(below) > measureIndent(lines[index]!) && !VERDICT.test(lines[index]!);
}

/** Leaves out what a success is not told by: only the totals, the warnings and the end are. */
function tellOfSuccess(line: string, rank: number): number {
  if (rank === 0) return rank;
  if (FRAME.test(line) || isPassVerdict(line)) return Infinity;
  return rank < USUAL_RANK || WARNING.test(line) ? rank : Infinity;
}

/** Ranks the outermost verdicts before others, if some are inside others: each counts for those in it. */
function rankVerdicts(lines: readonly string[], ranks: number[]): void {
  const verdicts = lines.flatMap((line, index) => (VERDICT.test(line) ? [{ index, depth: measureIndent(line) }] : []));
  const outermost = verdicts.reduce((least, { depth }) => Math.min(least, depth), Infinity);
  if (verdicts.every(({ depth }) => depth === outermost)) return;
  for (const { index, depth } of verdicts)
    if (depth === outermost)
      ranks[index] = Math.min(ranks[index]!, isPassVerdict(lines[index]!) ? OUTER_PASS : OUTER_VERDICT);
}

/** Ranks the name of each listed failure among what has to stay; then its error, and its first place outside libraries. */
function rankFailures(lines: readonly string[], ranks: number[]): void {
  const raise = (index: number, rank: number): void => void (ranks[index] = Math.min(ranks[index]!, rank));
  lines.forEach((line, index) => {
    if (!FAILURE_HEADING.test(line)) return;
    let part: 'name' | 'error' | 'rest' = 'name';
    for (let below = index; below < lines.length && below < index + FAILURE_LINES; below++) {
      const text = lines[below]!;
      if (below > index && FAILURE_HEADING.test(text)) return;
      if (text.trim() === '') part = part === 'name' ? 'error' : part;
      else if (part === 'name') raise(below, SHOULD_STAY);
      else if (part === 'error') {
        raise(below, FAILURE_RANK);
        part = 'rest';
      } else if (FRAME.test(text) && !isLibraryFrame(text)) {
        raise(below, FAILURE_RANK);
        return;
      }
    }
  });
}

function isPassVerdict(line: string): boolean {
  return VERDICT.test(line) && NO_ERROR.test(line);
}

/** @param fromEnd the position from the end; 1 for the last line */
function rankLogLine(line: string, fromEnd: number): number {
  if (line.trim() === '') return 9;
  if (REPORT_FRAME.test(line)) return 8;
  // `✓ a.test.ts (2 tests)` is one of many verdicts.
  const isSummary = fromEnd <= SUMMARY_LINES && SUMMARY.test(line) && !VERDICT.test(line);
  if ((fromEnd === 1 && /[\p{L}\p{N}]/u.test(line)) || isSummary) return 0;
  if (isTestTotal(line)) return TEST_TOTAL_RANK;
  if (COVERAGE_TOTAL.test(line) || NPM_SCRIPT.test(line)) return TEST_TOTAL_RANK;
  if (COVERAGE.test(line)) return FULL_COVERAGE.test(line) ? 8 : 5;
  if (FRAME.test(line)) return isLibraryFrame(line) ? 8 : 3;
  if (DETAIL.test(line)) return 3;
  if (isErrorLine(line)) return 5;
  if (fromEnd <= 10) return 4;
  if (WARNING.test(line)) return WARNING_RANK;
  return VERDICT.test(line) ? PASSED_RANK : USUAL_RANK;
}

/** Ranks the first line first, then lines from both ends, two from the start for each from the end. */
export function rankEnds(lines: readonly string[]): RankedLines {
  const ranks = lines.map((_, index) => (index === 0 ? 0 : Math.min(index, (lines.length - index) * 2) + MUST_STAY));
  return { lines, ranks };
}

/** Added to the rank of lines in the middle of many that are alike: all others come before them. */
const AMONG_ALIKE = 1e6;

/**
 * Ranks lines as `rankEnds`, with tags for what is missing. If more than half of the lines stand in a row and differ only
 * in their numbers, all others come before those in the middle of that row.
 */
export function rankPrinted(lines: readonly string[]): RankedLines {
  const ranks = [...rankEnds(lines).ranks];
  const kinds = lines.map(normalizeLine);
  const middle = kinds[Math.floor(lines.length / 2)];
  let start = Math.floor(lines.length / 2);
  let end = start + 1;
  while (kinds[start - 1] === middle) start--;
  while (kinds[end] === middle) end++;
  if (end - start > lines.length / 2)
    for (let index = start + 2; index < end - 1; index++) ranks[index]! += AMONG_ALIKE;
  return { lines, ranks, gaps: 'tag' };
}
