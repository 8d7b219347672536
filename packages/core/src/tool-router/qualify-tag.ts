import { TAG_NAMES } from '../protocol/verbs.ts';

/** The place that a qualified call named. */
interface QualifiedPlace {
  /** As the call named it: `source`, `source.deps`. */
  readonly name: string;
  readonly tools: Readonly<Record<string, unknown>>;
}

/**
 * A tag that a tool offers, as it works where the qualified call was made: `<R:x>` becomes `<source.R:x>`. What
 * calls no tool of that place stays as it is.
 */
export function qualifyTag(tag: string, { name, tools }: QualifiedPlace): string {
  const written = /^<([\p{L}\p{N}_-]+):/u.exec(tag)?.[1];
  const isOwn = written !== undefined && toolNames(written).some((one) => Object.hasOwn(tools, one));
  return isOwn ? `<${name}.${tag.slice(1)}` : tag;
}

/** What a tag's name may stand for: a verb, else a tool of exactly this name, or of the same with a small first letter. */
function toolNames(written: string): readonly string[] {
  const lower = written.toLowerCase();
  if (Object.hasOwn(TAG_NAMES, lower)) return [TAG_NAMES[lower]!];
  return [written, written.charAt(0).toLowerCase() + written.slice(1)];
}
