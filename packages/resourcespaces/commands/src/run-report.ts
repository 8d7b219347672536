import { constants } from 'node:os';

/** Exit code and duration of a program. */
export interface RunEnd {
  /** Null when it was stopped. */
  readonly code: number | null;
  readonly seconds: number;
}

/** Renders `exit 1, 2.0 s`, with the name of the signal if one ended the program. */
export function renderEnd(end: RunEnd): string {
  return `${renderCode(end)}, ${end.seconds.toFixed(1)} s`;
}

export function renderCode({ code }: Pick<RunEnd, 'code'>): string {
  if (code === null) return 'killed';
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? `exit ${code}` : `exit ${code}, ${signal}`;
}

/** What shells, make and cmd.exe say of a program that they do not find. */
const NOT_FOUND = [
  /^(?:[\w./-]*sh: )(?:(?:line )?\d+: )?([\w.+-]+): (?:command )?not found$/m,
  /^make(?:\[\d+\])?: ([\w.+-]+): No such file or directory$/m,
  /^'([\w.+-]+)' is not recognized as an internal or external command/m,
];

/** Finds the program that a failed run did not find on this machine, from what it printed. */
export function findMissingProgram(output: string): string | undefined {
  return NOT_FOUND.map((pattern) => pattern.exec(output)?.[1]).find((name) => name !== undefined);
}

/** Returns true for an argument by which test runners show what passing tests print. */
export function asksForOutput(word: string): boolean {
  return /^(?:-s|-rP|-rA|--capture=no|--no-?capture|--show-output)$/.test(word);
}

/** Lines of formatters about files that they left as they were: `src/a.ts 12ms (unchanged)`. */
const UNCHANGED = /^\S.* \d+(?:\.\d+)?m?s \(unchanged\)$/;

/** What pytest prints besides its result: its header, and a line for each file. */
const OF_PYTEST = [
  /^=+ test session starts =+$/,
  /^(?:platform \w+ -- Python|rootdir:|configfile:|testpaths:|plugins:|cachedir:|benchmark: \d|asyncio: |hypothesis profile )/,
  /^(?:Using --randomly-seed=|\w+ settings: |collecting |collected \d+ items?)/,
  /^(?:\S+ )?[.sxX]+ *\[ *\d+%\]$/,
];

/**
 * Leaves out the lines of an output that say nothing of its result, and says how many these were: files that a formatter
 * left unchanged and, if all passed, the header and the progress of pytest.
 */
export function leaveOutNoise(output: string, hasPassed: boolean): string {
  const isOfPytest = hasPassed && OF_PYTEST[0]!.test(output.trimStart().split('\n', 1)[0] ?? '');
  const noise = isOfPytest ? [UNCHANGED, ...OF_PYTEST] : [UNCHANGED];
  const lines = output.split('\n');
  const kept = lines.filter((line) => !noise.some((pattern) => pattern.test(line)));
  const count = lines.length - kept.length;
  if (count === 0) return output;
  const text = isOfPytest ? kept.filter((line) => line !== '') : kept;
  return [...text, `[without ${count} lines about ${isOfPytest ? 'progress' : 'unchanged files'}]`].join('\n');
}
