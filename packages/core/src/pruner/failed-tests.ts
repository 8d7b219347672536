import { measureIndent } from './declarations.ts';

/** Verdict on a failed test in TAP. */
export const FAILED_TEST = /^\s*not ok \d/;
/** Place in a stack that is not of the project. */
export const FRAME_OF_LIBRARY =
  /node_modules|\(?node:|\(<anonymous>\)|at <anonymous>$|site-packages|\/usr\/lib|dist-packages|\bjava\.|\bsun\.|\/rustc\//;
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
