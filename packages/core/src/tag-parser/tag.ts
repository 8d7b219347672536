import type { TagName } from './tag-names.ts';

/** One tag of a line. */
export interface Tag extends TagName {
  /** The name as typed: `W`, `Write`, `source.read`. */
  readonly written: string;
  readonly arg: string;
  /** The tag as it stands in the text, without its body. */
  readonly text: string;
  /** Text up to a closing tag on the same line. */
  readonly body: string | undefined;
}

const BODYLESS: ReadonlySet<string> = new Set(['read', 'glob', 'grep']);

/** True when tags of a verb may have a body: write, edit and every custom tool. */
export function takesBody(verb: string): boolean {
  return !BODYLESS.has(verb);
}
