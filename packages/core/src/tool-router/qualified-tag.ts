import { TAG_NAMES } from '../protocol/verbs.ts';

/** The place that a qualified call named. */
export interface QualifiedPlace {
  /** As the call named it: `source`, `source.deps`. */
  readonly name: string;
  readonly tools: Readonly<Record<string, unknown>>;
}

/**
 * A tag that a tool offers, as it works where the qualified call was made: `<R:x>` becomes `<source.R:x>`. What
 * calls no tool of that place stays as it is.
 */
export function qualifiedTag(tag: string, { name, tools }: QualifiedPlace): string {
  const written = /^<([\p{L}\p{N}_-]+):/u.exec(tag)?.[1]?.toLowerCase();
  if (written === undefined) return tag;
  const verb = Object.hasOwn(TAG_NAMES, written) ? TAG_NAMES[written]! : written;
  return Object.hasOwn(tools, verb) ? `<${name}.${tag.slice(1)}` : tag;
}
