/** Calls that follow one another are folded while the next one comes within this time, in milliseconds; those of code, longer. */
const TOGETHER_MS = 100;
const IN_CODE_MS = 2000;
/** Fewer calls are shown one by one. */
const FEWEST = 3;

/** A summary of a call that worked, with a count of something: `[source] ◆ read(a) -> string (3 lines)`. */
const COUNTED = /^((?:\[[^\]]*\] )?◆ )([\w.-]+)\(.*\) -> (\w+) \(([\d,]+) (lines?|match(?:es)?|rows?|chars?)\b.*\)$/s;

/** What decides how a line is coloured. */
interface CallOutcome {
  readonly ok: boolean;
  readonly pruned?: boolean;
}

interface Held {
  /** Their lines, while there are few. */
  readonly lines: string[];
  calls: number;
  readonly head: string;
  readonly verb: string;
  readonly type: string;
  readonly unit: string;
  count: number;
}

/**
 * Prints the lines of calls; three or more of one tool that follow one another become one:
 * `◆ read ×48 -> string (1,213 lines)`. `end` prints what is held back.
 *
 * @param print gets a summary, folded or not, and whether the call worked
 */
export function createCallLines(print: (summary: string, event: CallOutcome) => void) {
  let held: Held | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    const { lines = [], calls = 0, head, verb, type, count = 0, unit = '' } = held ?? {};
    held = undefined;
    if (calls < FEWEST) for (const line of lines) print(line, { ok: true });
    else print(`${head}${verb} ×${calls} -> ${type} (${count.toLocaleString('en-US')} ${unit})`, { ok: true });
  };
  const add = (summary: string, event: CallOutcome, isFromCode = false): void => {
    const [, head = '', verb = '', type = '', count = '', unit = ''] = (event.ok && COUNTED.exec(summary)) || [];
    const plural = PLURALS[unit] ?? unit;
    if (held !== undefined && (held.head !== head || held.verb !== verb || held.unit !== plural)) end();
    if (verb === '') return print(summary, event);
    held ??= { lines: [], calls: 0, head, verb, type, unit: plural, count: 0 };
    if (++held.calls < FEWEST) held.lines.push(summary);
    held.count += Number(count.replaceAll(',', ''));
    clearTimeout(timer);
    timer = setTimeout(end, isFromCode ? IN_CODE_MS : TOGETHER_MS);
  };
  return { add, end };
}

const PLURALS: Readonly<Record<string, string>> = { line: 'lines', match: 'matches', row: 'rows', char: 'chars' };
