import { isErrorLine, normalizeLine } from './error-lines.ts';
import { MUST_STAY, NEXT_ERROR_RANK, REASON_RANK, SHOULD_STAY } from './ranked-lines.ts';

/** Titles of the parts of a report in which failures are shown, `=== FAILURES ===`, and of any part. */
const FAILURES = /^=+ (?:FAILURES|ERRORS) =+$/;
const TITLE = /^=+ .+ =+$/;
/** Title of the list of failed tests at the end, and a test in it, below which its error may go on. */
const LIST = /^=+ short test summary info =+$/;
const LISTED_TEST = /^(FAILED|ERROR) \S+(.*)/;
/** Name at the end of a heading or of the path of a listed test, without its parameters. */
const TEST_NAME = /(?<!\w)(\w+)(?:\[.*)?$/;
/** Rest of a cause that is cut to the width of a terminal. */
const CUT_CAUSE = /\S*\.\.\.$/;
/** Heading of a failure, `___ ERROR at setup of test_a ___`; not the line between two places of its stack. */
export const SECTION_HEADING = /^_+ (?!_ )(.+) _+$/;
const CAPTURED = /^-{3,} Captured /;
/** Line with the error, the line of source that failed, and a place: `tests/test_a.py:7: AssertionError`. */
const ERROR_LINE = /^E(?: {2,}\S|$)/;
const MARKED_LINE = /^> {2,}\S/;
const PLACE = /^\S+:\d+: ?(?:$|\S)/;

/** Number of lines with an error that come with the reasons. */
const MOST_ERROR_LINES = 8;
/** Number of lines of the statement that failed which are shown. */
const MOST_OF_STATEMENT = 6;
/** Rank of what a failed test wrote about errors. */
const CAPTURED_RANK = 2;
/** Ranks of the source around a failure of a new kind, and of one that is like others. */
const SOURCE_RANK = 6;
const ALIKE_RANK = 8;
/** Number of kinds of errors of which a failure is shown with its place, not only with its error. */
const MOST_KINDS = 3;
/** Number of tests in the list that are named before other lines: if there are no more than these, and otherwise. */
const MOST_LISTED = 15;
const FIRST_LISTED = 4;
/** Number of failures with the same error whose headings, or names in the list, come before other lines. */
const MOST_ALIKE = 3;

/** Failure in a report: the indexes of its lines. */
interface Section {
  readonly heading: number;
  readonly end: number;
  readonly errors: readonly number[];
  readonly captured: number;
}

/**
 * Ranks the lines of a report of pytest, by index: of each kind of error the first failure, with its error, the line of
 * the test and the place that raised it; then the list of all. Lines outside its parts, and failures without an error,
 * have none.
 */
export function rankPytestReport(lines: readonly string[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  const list = lines.findIndex((line) => LIST.test(line));
  const listed = list === -1 ? new Set<string>() : rankList(lines, list, ranks);
  const counts = new Map<string, number>();
  for (const section of findSections(lines)) {
    const kind = section.errors.map((index) => normalizeLine(lines[index]!)).join('\n');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count === 1 && counts.size <= MOST_KINDS)
      rankFirst(lines, { ...section, detail: counts.size === 1 ? SHOULD_STAY : REASON_RANK }, ranks);
    else {
      for (let index = section.heading; index < section.end; index++) ranks.set(index, ALIKE_RANK);
      const [, heading = ''] = SECTION_HEADING.exec(lines[section.heading]!) ?? [];
      const isNamed = listed.has(findTestName(heading));
      if (!isNamed) ranks.set(section.heading, count <= MOST_ALIKE ? SHOULD_STAY : NEXT_ERROR_RANK);
      if (count === 1) ranks.set(section.errors[0]!, MUST_STAY);
    }
  }
  return ranks;
}

/** Finds the failures that have an error. */
function findSections(lines: readonly string[]): readonly Section[] {
  const sections: Section[] = [];
  let heading = -1;
  let captured = -1;
  let isInside = false;
  const end = (at: number): void => {
    const until = captured === -1 ? at : captured;
    const errors = heading === -1 ? [] : range(heading, until).filter((index) => ERROR_LINE.test(lines[index]!));
    if (errors.length > 0) sections.push({ heading, end: at, errors, captured: until });
    heading = captured = -1;
  };
  for (const [index, line] of lines.entries()) {
    const isTitle = TITLE.test(line);
    if (isTitle || (isInside && SECTION_HEADING.test(line))) {
      end(index);
      if (isTitle) isInside = FAILURES.test(line);
      else heading = index;
    } else if (captured === -1 && CAPTURED.test(line)) captured = index;
  }
  end(lines.length);
  return sections;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** Ranks the first failure of its kind. */
function rankFirst(
  lines: readonly string[],
  { heading, end, errors, captured, detail }: Section & { readonly detail: number },
  ranks: Map<number, number>,
): void {
  for (const index of range(heading, end)) {
    const isReported = index >= captured && isErrorLine(lines[index]!);
    ranks.set(index, isReported ? CAPTURED_RANK : index < captured ? SOURCE_RANK : ALIKE_RANK);
  }
  ranks.set(heading, SHOULD_STAY);
  const places = range(heading, captured).filter((index) => PLACE.test(lines[index]!));
  const [own, last] = [places[0], places.at(-1)];
  for (const place of [own, last]) {
    if (place === undefined) continue;
    ranks.set(place, detail);
    // The source stands above the place, or below it in a short report.
    const marked = range(heading, place).findLast((index) => MARKED_LINE.test(lines[index]!));
    const isShort = marked === undefined && /^\s+\S/.test(lines[place + 1] ?? '');
    const source = isShort ? place + 1 : marked;
    for (const index of source === undefined ? [] : listStatement(lines, source)) ranks.set(index, detail);
  }
  for (const [count, index] of errors.entries())
    ranks.set(index, count === 0 ? MUST_STAY : count < MOST_ERROR_LINES ? REASON_RANK : CAPTURED_RANK);
}

/** Lists the lines of the statement that failed, up to `MOST_OF_STATEMENT`. */
function listStatement(lines: readonly string[], first: number): readonly number[] {
  const goesOn = (index: number): boolean => /^ {4,}[^\s^~]/.test(lines[index] ?? '');
  let end = first + 1;
  if (MARKED_LINE.test(lines[first]!)) while (goesOn(end) && end - first < MOST_OF_STATEMENT) end++;
  return range(first, end);
}

/** Ranks the tests that are listed at the end, failures first; returns their names. */
function rankList(lines: readonly string[], start: number, ranks: Map<number, number>): ReadonlySet<string> {
  const tests = lines.flatMap((line, index) => {
    const [, outcome, cause = ''] = (index > start && LISTED_TEST.exec(line)) || [];
    return outcome === undefined ? [] : [{ index, outcome, cause: normalizeLine(cause).replace(CUT_CAUSE, '') }];
  });
  const failed = tests.filter(({ outcome }) => outcome === 'FAILED').length;
  const counts = new Map<string, number>();
  const named = new Set<string>();
  for (const { index, outcome, cause } of tests) {
    const isFailure = outcome === 'FAILED';
    const kind = isFailure ? outcome : `${outcome} ${cause}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const most = !isFailure ? MOST_ALIKE : failed <= MOST_LISTED ? MOST_LISTED : FIRST_LISTED;
    ranks.set(index, count > most ? NEXT_ERROR_RANK : isFailure ? MUST_STAY : SHOULD_STAY);
    named.add(findTestName(lines[index]!.split(' - ', 1)[0]!));
  }
  return named;
}

function findTestName(text: string): string {
  return TEST_NAME.exec(text)?.[1] ?? '';
}
