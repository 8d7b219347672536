/**
 * The urgency of a task: smaller numbers are more urgent. `0.0.0` means no priority, and comes after everything else. A
 * single number does not relate a task to others; three numbers place it below the task with the shorter priority.
 */
export interface Priority {
  readonly major: number;
  /** -1 when the priority is a single number. */
  readonly minor: number;
  readonly patch: number;
}

/** The level of a priority, which determines the kind of task. */
type PriorityLevel = 'unclassified' | 'plain' | 'major' | 'minor' | 'patch';

/** A change of the tags of a task: a new set, or tags to add and to remove. */
export type TagChange =
  | { readonly kind: 'set'; readonly tags: readonly string[] }
  | { readonly kind: 'change'; readonly add: readonly string[]; readonly remove: readonly string[] };

const PRIORITY = /^(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?$/;
const PLAIN = /^p?(\d{1,6})(?:\.0)?$/i;
/** Words that stand for a single number. */
const WORDS: Readonly<Record<string, number>> = { critical: 1, urgent: 1, high: 1, medium: 2, normal: 2, low: 3 };
const TAG = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,39}$/u;
const SIGN = /^[+-]/;

/**
 * Reads `2`, `1.2.3`, or `1.2` for `1.2.0`; returns undefined for any other text, and for a minor or patch without a
 * major.
 */
export function parsePriority(text: string): Priority | undefined {
  const plain = WORDS[text.toLowerCase()] ?? PLAIN.exec(text)?.[1];
  if (plain !== undefined) return { major: Number(plain), minor: Number(plain) === 0 ? 0 : -1, patch: 0 };
  const numbers = PRIORITY.exec(text)
    ?.slice(1)
    .map((number: string | undefined) => Number(number ?? 0));
  if (numbers === undefined) return undefined;
  const [major = 0, minor = 0, patch = 0] = numbers;
  return major === 0 && minor + patch > 0 ? undefined : { major, minor, patch };
}

/** Formats a priority: `2`, `1.2.3`. */
export function formatPriority({ major, minor, patch }: Priority): string {
  if (minor < 0) return String(major);
  return `${major}.${minor}.${patch}`;
}

/** Returns the level of a priority: `1` is plain, `1.0.0` a major, `1.2.0` a minor of it, `1.2.3` a patch of that. */
export function getLevel({ major, minor, patch }: Priority): PriorityLevel {
  if (major === 0) return 'unclassified';
  if (minor < 0) return 'plain';
  if (patch > 0) return 'patch';
  return minor > 0 ? 'minor' : 'major';
}

/** Returns the priority of a task's parent: `1.2.0` for `1.2.3`, `1.0.0` for `1.2.0`, undefined for a major. */
export function getParentPriority(priority: Priority): Priority | undefined {
  const level = getLevel(priority);
  if (level === 'minor') return { ...priority, minor: 0 };
  return level === 'patch' ? { ...priority, patch: 0 } : undefined;
}

/** Returns a tag in its stored form, in lower case; undefined when the text is not a tag. */
export function parseTag(text: string): string | undefined {
  const tag = text.normalize('NFC').toLowerCase();
  return TAG.test(tag) ? tag : undefined;
}

/** Reads `auth, ui` (exactly these tags) or `+auth, -ui` (add one, remove one); returns undefined for anything else. */
export function parseTags(words: readonly string[]): TagChange | undefined {
  const tags = words.map((word) => parseTag(word.replace(SIGN, '')));
  if (!tags.every((tag) => tag !== undefined)) return undefined;
  if (!words.some((word) => SIGN.test(word))) return { kind: 'set', tags };
  if (!words.every((word) => SIGN.test(word))) return undefined;
  const { '+': add = [], '-': remove = [] } = Object.groupBy(tags, (_, index) => words[index]![0]!);
  return { kind: 'change', add, remove };
}

/** Returns the tags after a change: sorted, without duplicates. */
export function applyTagChange(before: readonly string[], change: TagChange): readonly string[] {
  const kept = change.kind === 'set' ? [] : before.filter((tag) => !change.remove.includes(tag));
  return [...new Set([...kept, ...(change.kind === 'set' ? change.tags : change.add)])].toSorted();
}
