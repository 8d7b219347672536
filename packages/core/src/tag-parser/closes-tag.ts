import { cleanArgument } from './clean-argument.ts';
import { readClosingTag, type ClosingTag } from './closing-tag.ts';
import type { TagNames } from './tag-names.ts';
import type { Tag } from './tag.ts';

/** What a closing tag is compared with. */
type Opened = Pick<Tag, 'verb' | 'arg'>;

type ClosingTest = (closing: ClosingTag) => boolean;

/** True when a closing tag has the verb of a tag, and no label or the tag's argument as its label. */
export function closesTag(closing: ClosingTag, tag: Opened, names: TagNames): boolean {
  if (names.resolve(closing.written)?.verb !== tag.verb) return false;
  return closing.label === undefined || cleanArgument(tag.verb, closing.label) === tag.arg;
}

/** The first closing tag from an index on that passes a test. */
export function firstClosingTag(line: string, from: number, closes: ClosingTest): ClosingTag | undefined {
  let start = line.indexOf('</', from);
  while (start !== -1) {
    const closing = readClosingTag(line, start);
    if (closing && closes(closing)) return closing;
    start = line.indexOf('</', start + 2);
  }
  return undefined;
}

/** The closing tag at the very end of a line, when it closes a tag. */
export function finalClosingTag(line: string, tag: Opened, names: TagNames): ClosingTag | undefined {
  const start = line.lastIndexOf('</');
  const closing = start === -1 ? undefined : readClosingTag(line, start);
  return closing?.end === line.length && closesTag(closing, tag, names) ? closing : undefined;
}
