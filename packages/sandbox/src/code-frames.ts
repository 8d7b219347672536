import { beginning } from './worker/beginning.ts';

/** Most frames that are shown, and most characters of the name of each. */
const MOST = 8;
const LONGEST_NAME = 80;
const FRAME = /^\s*at (?:(.+?) \()?block-(\d+):(\d+)(?::\d+)?\)?$/;

/**
 * The frames of a stack that are in code of the session, innermost first: `at sum (line 3)`.
 *
 * @param stack as the engine words it
 * @param block number of the block that failed; frames of another name theirs
 */
export function codeFrames(stack: string, block: number): readonly string[] {
  const frames = stack.split('\n').flatMap((line) => {
    const [, name = '', number, at] = FRAME.exec(line) ?? [];
    if (at === undefined) return [];
    const where = Number(number) === block ? `line ${at}` : `line ${at} of block ${number}`;
    const short = name.length > LONGEST_NAME ? `${beginning(name, LONGEST_NAME)}…` : name;
    return [name === '' || name.startsWith('<') ? `at ${where}` : `at ${short} (${where})`];
  });
  // A callback of a built-in stands in the line of its call.
  const shown = frames.filter((frame, index) => frame !== frames[index - 1]);
  return shown.length <= MOST ? shown : [...shown.slice(0, MOST - 1), `… ${shown.length - MOST + 1} more`];
}
