import { nameEnd } from './characters.ts';
import { cleanArgument } from './clean-argument.ts';
import type { TagName, TagNames } from './tag-names.ts';
import type { Tag } from './tag.ts';

/** The beginning of a tag, `<name:`, and how far its argument may go. */
export interface TagHead extends TagName {
  readonly written: string;
  readonly start: number;
  /** Index behind the colon. */
  readonly argStart: number;
  /** Index of the next `>`; -1 when there is none or a `<` comes first. */
  readonly argEnd: number;
}

/** Reads `<name:` at an index of a line; undefined when the name is unknown or there is none. */
export function readTagHead(line: string, at: number, names: TagNames): TagHead | undefined {
  if (line.charAt(at) !== '<') return undefined;
  const colon = nameEnd(line, at + 1);
  if (line.charAt(colon) !== ':') return undefined;
  const written = line.slice(at + 1, colon);
  const name = names.resolve(written);
  if (!name) return undefined;
  const { verb, space } = name;
  return { verb, space, written, start: at, argStart: colon + 1, argEnd: argumentEnd(line, colon + 1) };
}

/** The tag of a head whose argument ends before the `>` at an index. */
export function tagUpTo(line: string, head: TagHead, end: number): Tag {
  const { verb, space, written } = head;
  const arg = cleanArgument(verb, line.slice(head.argStart, end));
  return { verb, space, written, arg, text: line.slice(head.start, end + 1), body: undefined };
}

function argumentEnd(line: string, from: number): number {
  for (let index = from; index < line.length; index++) {
    const character = line.charAt(index);
    if (character === '>') return index;
    if (character === '<') return -1;
  }
  return -1;
}
