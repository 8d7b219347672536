import { groupDigits } from '../terminal/terminal-text.ts';

/** Maximum time between consecutive calls that are folded, in milliseconds; longer for calls in code. */
const TOGETHER_MS = 100;
const IN_CODE_MS = 2000;
/** Minimum number of calls that are folded. */
const FEWEST = 3;

/** Summary of a successful call with a count: `[source] ◆ read(a) -> string (3 lines)`, `◆ delete_rows(7) (1 line)`. */
const COUNTED = /^((?:\[[^\]]*\] )?◆ )([\w.-]+)\(.*\)( -> \w+)? \(([\d,]+) (lines?|match(?:es)?|rows?|chars?)\b.*\)$/s;

/** Facts that determine the colour of a line. */
export interface CallOutcome {
  readonly ok: boolean;
  readonly failed?: boolean;
  readonly pruned?: boolean;
}

interface Held {
  /** Lines of the calls, while there are few. */
  readonly lines: string[];
  calls: number;
  readonly head: string;
  readonly verb: string;
  /** ` -> string`, or nothing. */
  readonly type: string;
  readonly unit: string;
  count: number;
}

/**
 * Creates a printer for lines of calls. Three or more consecutive calls of one tool become a single line:
 * `◆ read ×48 -> string (1,213 lines)`. `end` prints the lines that are still held back.
 *
 * @param print receives a summary, folded or not, and whether the call succeeded
 * @param beforeWrite calls a function before anything else is written, such as a question, which then stands below
 */
export function createCallLines(
  print: (summary: string, event: CallOutcome) => void,
  beforeWrite: (call: () => void) => void,
) {
  let held: Held | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    const { lines = [], calls = 0, head, verb, type = '', count = 0, unit = '' } = held ?? {};
    held = undefined;
    if (calls < FEWEST) for (const line of lines) print(line, { ok: true });
    else print(`${head}${verb} ×${calls}${type} (${groupDigits(count)} ${unit})`, { ok: true });
  };
  const add = (summary: string, event: CallOutcome, isFromCode = false): void => {
    const isDone = event.ok && event.failed !== true;
    const [, head = '', verb = '', type = '', count = '', unit = ''] = (isDone && COUNTED.exec(summary)) || [];
    const plural = PLURALS[unit] ?? unit;
    if (held !== undefined && (held.head !== head || held.verb !== verb || held.unit !== plural)) end();
    if (verb === '') return print(summary, event);
    beforeWrite(end);
    held ??= { lines: [], calls: 0, head, verb, type, unit: plural, count: 0 };
    if (++held.calls < FEWEST) held.lines.push(summary);
    held.count += Number(count.replaceAll(',', ''));
    clearTimeout(timer);
    timer = setTimeout(end, isFromCode ? IN_CODE_MS : TOGETHER_MS);
  };
  return { add, end };
}

const PLURALS: Readonly<Record<string, string>> = { line: 'lines', match: 'matches', row: 'rows', char: 'chars' };
