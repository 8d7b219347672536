import type { LineSource } from '../terminal/line-source.ts';

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
}

/**
 * Reads on where one line is not all of the code: after an open bracket or an operator, and to the end of what was
 * pasted. Ctrl-D ends it in any case.
 *
 * @returns all of it; undefined when the person gave it up with Ctrl-C
 */
export async function gatherCode(first: string, source: LineSource, lines: CodeLines): Promise<string | undefined> {
  let code = first;
  for (;;) {
    const { isPasted } = source;
    const isOpen = await lines.needsMore(code);
    // Of a pipe nobody knows what came together; after a block it is worth waiting for what may belong to it.
    const mayGoOn = !isOpen && !isPasted && source.hasMore && code.trimEnd().endsWith('}');
    if (!isOpen && !isPasted && !mayGoOn) return code;
    const line = await source.next(MORE);
    if (line.kind === 'interrupt') return undefined;
    if (line.kind === 'end') return code;
    const isOther = mayGoOn ? !GOES_ON.test(line.text) : !isOpen && lines.isCommand(line.text);
    if (isOther) {
      source.unread([line.text]);
      return code;
    }
    code += `\n${line.text}`;
  }
}
