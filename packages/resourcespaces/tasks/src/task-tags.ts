/** What becomes of the tags of a task: others in their place, or some more and some fewer. */
export type TagChange =
  | { readonly kind: 'set'; readonly tags: readonly string[] }
  | { readonly kind: 'change'; readonly add: readonly string[]; readonly remove: readonly string[] };

const TAG = /^[\p{L}\p{N}][\p{L}\p{N}_./-]{0,39}$/u;
const SIGNED = /^[+-]/;

/** A tag as it is kept, in lower case; undefined when it is none. */
export function asTag(text: string): string | undefined {
  const tag = text.normalize('NFC').toLowerCase();
  return TAG.test(tag) ? tag : undefined;
}

/** Reads `auth, ui` (these tags) or `+auth, -ui` (one more, one fewer); undefined for anything else. */
export function parseTags(words: readonly string[]): TagChange | undefined {
  const signed = words.filter((word) => SIGNED.test(word));
  const tags = words.map((word) => asTag(word.replace(SIGNED, '')));
  if (!tags.every((tag) => tag !== undefined)) return undefined;
  if (signed.length === 0) return { kind: 'set', tags };
  if (signed.length < words.length) return undefined;
  const withSign = (sign: string): readonly string[] => tags.filter((_, index) => words[index]!.startsWith(sign));
  return { kind: 'change', add: withSign('+'), remove: withSign('-') };
}

/** The tags after a change: sorted, each once. */
export function changedTags(before: readonly string[], change: TagChange): readonly string[] {
  const kept = change.kind === 'set' ? [] : before.filter((tag) => !change.remove.includes(tag));
  return [...new Set([...kept, ...(change.kind === 'set' ? change.tags : change.add)])].toSorted();
}
