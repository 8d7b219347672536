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
