import { constants } from 'node:os';

/** How a program ended, and after how long. */
export interface RunEnd {
  /** Null when it was stopped. */
  readonly code: number | null;
  readonly seconds: number;
}

/** `exit 1, 2.0 s`; of a program that a signal ended also its name. */
export function renderEnd(end: RunEnd): string {
  return `${renderCode(end)}, ${end.seconds.toFixed(1)} s`;
}

export function renderCode({ code }: Pick<RunEnd, 'code'>): string {
  if (code === null) return 'killed';
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? `exit ${code}` : `exit ${code}, ${signal}`;
}
