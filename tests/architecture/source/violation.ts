import type { Repository } from './repository.ts';

/** One place that breaks a rule, and what to do about it. */
export interface Violation {
  readonly path: string;
  /** 1-based; absent when the whole file is meant. */
  readonly line?: number;
  readonly message: string;
}

/** Looks for breaches of one rule. Pure: what it says depends on the files alone. */
export type Check = (repository: Repository) => readonly Violation[];

/** `packages/core/src/a.ts:3 message`, one line, as an editor links it. */
export function violationText({ path, line, message }: Violation): string {
  return line === undefined ? `${path} ${message}` : `${path}:${line} ${message}`;
}
