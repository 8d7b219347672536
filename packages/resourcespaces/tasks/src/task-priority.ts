/** How urgent a task is: the smaller, the more. `0.0.0` says nothing, and comes after everything else. */
export interface Priority {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** What a priority makes of a task. */
export type PriorityLevel = 'unclassified' | 'major' | 'minor' | 'patch';

const PRIORITY = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Reads `1.2.3`; undefined for any other text, and for a minor or patch that is of no major. */
export function parsePriority(text: string): Priority | undefined {
  const numbers = PRIORITY.exec(text)?.slice(1).map(Number);
  if (numbers === undefined) return undefined;
  const [major = 0, minor = 0, patch = 0] = numbers;
  return major === 0 && minor + patch > 0 ? undefined : { major, minor, patch };
}

/** `1.2.3`. */
export function formatPriority({ major, minor, patch }: Priority): string {
  return `${major}.${minor}.${patch}`;
}

/** `1.0.0` is a major, `1.2.0` a minor of it, `1.2.3` a patch of that. */
export function levelOf({ major, minor, patch }: Priority): PriorityLevel {
  if (major === 0) return 'unclassified';
  if (patch > 0) return 'patch';
  return minor > 0 ? 'minor' : 'major';
}
