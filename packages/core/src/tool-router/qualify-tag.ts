import { findVerb } from '../protocol/verbs.ts';

/**
 * Qualifies a tag of a place's own tool for the place the call was made from: `<R:x>` becomes `<source.R:x>`.
 *
 * @param place the place as written in the call: `source`, `source.deps`
 */
export function qualifyTag(tag: string, place: string, tools: object): string {
  const written = /^<([\p{L}\p{N}_-]+):/u.exec(tag)?.[1];
  if (written === undefined) return tag;
  // The name of a tag is a verb, or a tool of this name with a lowercase or uppercase first letter.
  const names = [findVerb(written) ?? written, written.charAt(0).toLowerCase() + written.slice(1)];
  return names.some((name) => Object.hasOwn(tools, name)) ? `<${place}.${tag.slice(1)}` : tag;
}
