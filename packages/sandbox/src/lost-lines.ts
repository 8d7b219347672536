import { codeFrames } from './code-frames.ts';
import type { LostErrors } from './message.ts';

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
    if (typeof one === 'number') return `Not awaited: ${failureOf(one)}`;
    const [frame] = codeFrames(one.stack, block);
    return `Not awaited: ${one.name}: ${one.message}${frame === undefined ? '' : `\n  ${frame}`}`;
  });
  return count > first.length ? [...lines, `Not awaited: ${count - first.length} more`] : lines;
}
