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

/** A tag whose only argument is its first one, or that has none. */
const PLAIN_TAG = /^<(?<place>(?:[\w$]+\.)*)(?<name>[\w$]+):(?<argument>[^<>\n"]*)>$/;
const KEYWORD = /(?:^|\s)[\w-]+=/;

/**
 * Writes a tag as the call that code makes: `<home.R:a.ts>` becomes `home.read("a.ts")`. A tag with options, or of a
 * tool that code does not have, stays as it is.
 */
export function writeTagAsCode(tag: string): string {
  const { place = '', name = '', argument = '' } = PLAIN_TAG.exec(tag)?.groups ?? {};
  if (name === '' || name.toLowerCase() === 'help' || KEYWORD.test(argument)) return tag;
  const method = findVerb(name) ?? name.charAt(0).toLowerCase() + name.slice(1);
  return `${place}${method}(${argument === '' ? '' : JSON.stringify(argument)})`;
}
