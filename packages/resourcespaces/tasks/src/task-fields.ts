/**
 * How urgent a task is: the smaller, the more. `0.0.0` is no priority, and comes after everything else. One number alone
 * says nothing of other tasks; with three it is a place below the task of a shorter one.
 */
export interface Priority {
  readonly major: number;
  /** -1 where the priority is one number alone. */
  readonly minor: number;
  readonly patch: number;
}

/** What a priority makes of a task. */
type PriorityLevel = 'unclassified' | 'plain' | 'major' | 'minor' | 'patch';

/** A change of the tags of a task: a new set, or tags to add and to remove. */
export type TagChange =
  | { readonly kind: 'set'; readonly tags: readonly string[] }
  | { readonly kind: 'change'; readonly add: readonly string[]; readonly remove: readonly string[] };

const PRIORITY = /^(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?$/;
const PLAIN = /^p?(\d{1,6})(?:\.0)?$/i;
/** Words that stand for a number alone. */
const WORDS: Readonly<Record<string, number>> = { critical: 1, urgent: 1, high: 1, medium: 2, normal: 2, low: 3 };
const TAG = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,39}$/u;
const SIGN = /^[+-]/;

/** Reads `2`, `1.2.3`, or `1.2` for `1.2.0`; undefined for any other text, and for a minor or patch without a major. */
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

/** `2`, `1.2.3`. */
export function formatPriority({ major, minor, patch }: Priority): string {
  if (minor < 0) return String(major);
  return `${major}.${minor}.${patch}`;
}

/** `1` is plain, `1.0.0` a major, `1.2.0` a minor of it, `1.2.3` a patch of that. */
export function getLevel({ major, minor, patch }: Priority): PriorityLevel {
  if (major === 0) return 'unclassified';
  if (minor < 0) return 'plain';
  if (patch > 0) return 'patch';
  return minor > 0 ? 'minor' : 'major';
}

/** The priority of a task's parent: `1.2.0` for `1.2.3`, `1.0.0` for `1.2.0`, none for a major. */
export function getParentPriority(priority: Priority): Priority | undefined {
  const level = getLevel(priority);
  if (level === 'minor') return { ...priority, minor: 0 };
  return level === 'patch' ? { ...priority, patch: 0 } : undefined;
}

/** A tag as it is kept, in lower case; undefined when the text is not a tag. */
export function parseTag(text: string): string | undefined {
  const tag = text.normalize('NFC').toLowerCase();
  return TAG.test(tag) ? tag : undefined;
}

/** Reads `auth, ui` (these tags) or `+auth, -ui` (one more, one fewer); undefined for anything else. */
export function parseTags(words: readonly string[]): TagChange | undefined {
  const tags = words.map((word) => parseTag(word.replace(SIGN, '')));
  if (!tags.every((tag) => tag !== undefined)) return undefined;
  if (!words.some((word) => SIGN.test(word))) return { kind: 'set', tags };
  if (!words.every((word) => SIGN.test(word))) return undefined;
  const { '+': add = [], '-': remove = [] } = Object.groupBy(tags, (_, index) => words[index]![0]!);
  return { kind: 'change', add, remove };
}

/** The tags after a change: sorted, each once. */
export function applyTagChange(before: readonly string[], change: TagChange): readonly string[] {
  const kept = change.kind === 'set' ? [] : before.filter((tag) => !change.remove.includes(tag));
  return [...new Set([...kept, ...(change.kind === 'set' ? change.tags : change.add)])].toSorted();
}
