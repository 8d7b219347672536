import { findVerb } from '../protocol/verbs.ts';

/** The place that a qualified call named. */
interface QualifiedPlace {
  /** As the call named it: `source`, `source.deps`. */
  readonly name: string;
  readonly tools: Readonly<Record<string, unknown>>;
}

/** Makes a tag of a place's own tool work where the qualified call was made: `<R:x>` becomes `<source.R:x>`. */
export function qualifyTag(tag: string, { name, tools }: QualifiedPlace): string {
  const written = /^<([\p{L}\p{N}_-]+):/u.exec(tag)?.[1];
  const isOwn = written !== undefined && listPossibleTools(written).some((one) => Object.hasOwn(tools, one));
  return isOwn ? `<${name}.${tag.slice(1)}` : tag;
}

/** The tools that a tag's name may mean: a verb, else a tool of this name, with a small or capital first letter. */
function listPossibleTools(written: string): readonly string[] {
  const verb = findVerb(written);
  return verb === undefined ? [written, written.charAt(0).toLowerCase() + written.slice(1)] : [verb];
}
