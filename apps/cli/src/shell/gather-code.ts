import type { LineSource } from '../terminal/line-source.ts';
import { GrowingCode } from './growing-code.ts';
import { isWayOut } from './way-out.ts';

/** Shown while more lines are awaited. */
const MORE = '… ';
/** How a line begins that goes on with a block before it. */
const GOES_ON = /^\s*(?:else|catch|finally|while)\b|^\s*[.?:,)\]]/;

/** What has to be known of code to read it line by line. */
export interface CodeLines {
  /** Tells code that breaks off before its end. */
  needsMore(code: string): Promise<boolean>;
  /** Tells a line that is no code. */
  isCommand(line: string): boolean;
  /** Hears the command for which code that was open is given up. */
  onGivenUp(line: string): void;
}

/**
 * Reads on where one line is not all of the code: after an open bracket or an operator, and to the end of what was
 * pasted. Ctrl-D ends it in any case.
 *
 * @returns all of it; undefined when the person gave it up: with Ctrl-C, or with a command that is read next
 */
export async function gatherCode(first: string, source: LineSource, lines: CodeLines): Promise<string | undefined> {
  const code = new GrowingCode(first, (text) => lines.needsMore(text));
  for (;;) {
    const isWhole = !source.isPasted && !(await code.isOpen());
    // After a block something may be there already that belongs to it.
    if (isWhole && !(code.text.trimEnd().endsWith('}') && (await source.hasMore()))) return code.text;
    const line = await source.next(MORE);
    if (line.kind === 'interrupt') return undefined;
    if (line.kind === 'end') return code.text;
    if (isWhole ? GOES_ON.test(line.text) : await belongsTo(code, line.text, lines)) code.add(line.text);
    else {
      source.unread([line.text]);
      if (isWhole || !(await code.isOpen())) return code.text;
      lines.onGivenUp(line.text);
      return undefined;
    }
  }
}

async function belongsTo(code: GrowingCode, line: string, lines: CodeLines): Promise<boolean> {
  if (!lines.isCommand(line)) return true;
  return (await code.isOpen()) && (!isWayOut(line) || (await code.isOpenText()));
}
