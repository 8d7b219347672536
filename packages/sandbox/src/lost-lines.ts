import { codeFrames } from './code-frames.ts';
import type { LostErrors } from './message.ts';
import { beginning } from './worker/beginning.ts';

/** Characters of one line of these: what fails where nobody waits is not what the block is about. */
const LONGEST = 300;

/**
 * Says what was thrown and never caught: `Not awaited: read("a.ts"): FileNotFoundError: …`.
 *
 * @param block number of the block that has ended
 * @param failureOf what a call failed with, quoted
 */
export function lostLines(
  { first, count }: LostErrors,
  block: number,
  failureOf: (call: number) => string | undefined,
): readonly string[] {
  const lines = first.map((one) => {
    if (typeof one === 'number') return short(`Not awaited: ${failureOf(one)}`);
    const [frame] = codeFrames(one.stack, block);
    return short(`Not awaited: ${one.name}: ${one.message}`) + (frame === undefined ? '' : `\n  ${frame}`);
  });
  return count > first.length ? [...lines, `Not awaited: ${count - first.length} more`] : lines;
}

function short(line: string): string {
  return line.length > LONGEST ? `${beginning(line, LONGEST)}…` : line;
}
