import { measureIndent } from './declarations.ts';
import { FRAME_OF_LIBRARY } from './error-lines.ts';
import { REASON_RANK } from './ranked-lines.ts';

/** Verdict on a failed test in TAP. */
export const FAILED_TEST = /^\s*not ok \d/;
/** Line with the expected or actual value of a test, or its location. */
export const DETAIL = /^\s*(?:expected|actual|received|location)\s*:/i;
/** End of a line whose text follows below it, indented: `error: |-`. */
export const OPENS_BLOCK = /[|>][-+]?\s*$|:\s*$/;
/** Number of lines of such a block that are kept with its first line. */
const BLOCK_LINES = 12;
/** Field of what TAP says below a failed test that tells why it failed, with the lines below it. */
const REASON = /^\s*(?:diff|message|error|found|wanted|expected|actual|signal)\s*:/;
/** Field with the message of a failed test. */
const MESSAGE = /^\s*(?:error|message)\s*:/;
/** Field with the stack of a failed test, whose first place outside libraries is where it failed. */
const STACK = /^\s*(?:stack|at)\s*:/;
/** Field that says that only tests inside have failed. */
const GROUP_FAILED = /^\s*(?:failureType: 'subtestsFailed'|error: '\d+ subtests? failed')$/;
/** Number of lines below a failed test that are looked at for such fields. */
const MOST_DIAGNOSIS = 100;
/** Beginning of a report in TAP, what tests print in it, and the field that says that a whole program failed. */
const TAP_START = /^TAP version \d/;
const TAP_COMMENT = /^\s*#\s/;
const FAILED_PROGRAM = /^\s*exitCode: [1-9]/;
/** Title of the list of failures that vitest ends with, and the line between two of them. */
const VITEST_LIST = /^⎯+ Failed (?:Tests|Suites) \d+ ⎯+$/;
const VITEST_END = /^⎯+\[\d+\/\d+\]⎯+$/;
/** What vitest says of failures before that list, and in it: a place, a difference, and code with a mark below. */
const VITEST_VERDICT = /^\s+[×❯→]\s/;
const VITEST_PLACE = /^\s*❯ .*:\d+:\d+$/;
const DIFFERENCE = /^[-+] /;
const MARK_BELOW_CODE = /^\s+\|\s*\^/;
/** Rank of what is said again below. */
const AGAIN_RANK = 8;
const MOST_DIFFERENCES = 8;

/**
 * Ranks lines of a report of vitest, by index: its list of failures has, besides the names and errors, the first place
 * of each that is not in a library; what stands before the list only says less of the same.
 */
export function rankVitestReport(lines: readonly string[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  const start = lines.findIndex((line) => VITEST_LIST.test(line));
  if (start === -1) return ranks;
  let hasPlace = false;
  let differences = 0;
  for (const [index, line] of lines.entries()) {
    if (index < start) {
      if (VITEST_VERDICT.test(line)) ranks.set(index, AGAIN_RANK);
    } else if (VITEST_END.test(line)) {
      hasPlace = false;
      differences = 0;
    } else if (!hasPlace && DIFFERENCE.test(line) && ++differences <= MOST_DIFFERENCES) ranks.set(index, REASON_RANK);
    else if (VITEST_PLACE.test(line) && !hasPlace && !FRAME_OF_LIBRARY.test(line)) {
      hasPlace = true;
      ranks.set(index, REASON_RANK);
    } else if (MARK_BELOW_CODE.test(line)) ranks.set(index - 1, REASON_RANK);
  }
  return ranks;
}

/**
 * Lists the indexes of the lines below a failed test in TAP that say why and where it failed; none if a test before it
 * failed for the same reason.
 */
export function listReasons(lines: readonly string[], at: number, known: Set<string>): readonly number[] {
  const diagnosis = listBlock(lines, at, MOST_DIAGNOSIS);
  const fields = diagnosis.filter((index) => REASON.test(lines[index]!));
  const told = fields.find((index) => OPENS_BLOCK.test(lines[index]!) && MESSAGE.test(lines[index]!));
  // The values are in a message of several lines.
  const wanted = told === undefined ? fields : fields.filter((index) => !DETAIL.test(lines[index]!));
  const reasons = wanted.flatMap((index) => [index, ...listBlock(lines, index)]);
  const text = reasons.map((index) => lines[index]).join('\n');
  if (known.has(text)) return [];
  known.add(text);
  const stack = diagnosis.find((index) => STACK.test(lines[index]!));
  const frames = stack === undefined ? [] : listBlock(lines, stack);
  return [...reasons, ...frames.filter((index) => !FRAME_OF_LIBRARY.test(lines[index]!)).slice(0, 1)];
}

/** Tests whether a failed test in TAP only consists of others, some of which failed. */
export function hasFailedInside(lines: readonly string[], at: number): boolean {
  return listBlock(lines, at).some((index) => GROUP_FAILED.test(lines[index]!));
}

/** Returns which lines of a report in TAP tests have printed: they say nothing of its failures, except of a program's. */
export function findPrinted(lines: readonly string[]): (line: string) => boolean {
  const isReport = lines.some((line) => TAP_START.test(line)) && lines.some((line) => FAILED_TEST.test(line));
  if (!isReport || lines.some((line) => FAILED_PROGRAM.test(line))) return () => false;
  return (line) => TAP_COMMENT.test(line);
}

/** Lists the indexes of the more deeply indented lines below a line, without blank ones. */
export function listBlock(lines: readonly string[], at: number, most = BLOCK_LINES): readonly number[] {
  const depth = measureIndent(lines[at]!);
  const found: number[] = [];
  for (let next = at + 1; next < lines.length && found.length < most; next++) {
    if (lines[next]!.trim() === '') continue;
    if (measureIndent(lines[next]!) <= depth) break;
    found.push(next);
  }
  return found;
}
