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
