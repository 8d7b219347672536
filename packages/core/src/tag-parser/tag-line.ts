import { nameEnd } from './characters.ts';
import { closesTag, finalClosingTag, firstClosingTag } from './closes-tag.ts';
import { readTagHead, tagUpTo, type TagHead } from './tag-head.ts';
import type { TagNames } from './tag-names.ts';
import { readTagSequence } from './tag-sequence.ts';
import { takesBody, type Tag } from './tag.ts';

/** What a line is that begins with `<name:`. */
export type TagLine =
  /** Tags that are calls as they stand. */
  | { readonly kind: 'tags'; readonly tags: readonly Tag[] }
  /** A tag alone on its line whose body, if it has one, follows. */
  | { readonly kind: 'open'; readonly tag: Tag }
  /** A tag, its body and its closing tag. */
  | { readonly kind: 'inline'; readonly tag: Tag; readonly body: string }
  /** A tag with a body that shares its line with something else. */
  | { readonly kind: 'crowded'; readonly tag: Tag }
  /** A tag with text behind it, which is prose unless a later line closes the tag. */
  | { readonly kind: 'loose'; readonly tag: Tag }
  /** A tag with a body whose argument holds `<` or `>`. */
  | { readonly kind: 'broken'; readonly tag: Tag; readonly isClosed: boolean }
  /** A tag whose name is almost a known one. */
  | { readonly kind: 'near-miss'; readonly tag: Tag; readonly meant: string; readonly isClosed: boolean };

/** Reads a trimmed line that begins with `<`; undefined when it is prose. */
export function readTagLine(line: string, names: TagNames): TagLine | undefined {
  const head = readTagHead(line, 0, names);
  if (!line.endsWith('>')) return head && readLoose(line, head);
  if (!head) return readNearMiss(line, names);
  if (head.argEnd === line.length - 1) return single(tagUpTo(line, head, head.argEnd));
  const sequence = readTagSequence(line, names);
  if (sequence) return readSequence(sequence);
  return takesBody(head.verb) ? (readLongInline(line, head, names) ?? readBroken(line, head, names)) : undefined;
}

function single(tag: Tag): TagLine {
  return takesBody(tag.verb) ? { kind: 'open', tag } : { kind: 'tags', tags: [tag] };
}

function readSequence(tags: readonly Tag[]): TagLine {
  const first = tags[0];
  if (first?.body !== undefined && tags.length === 1) return { kind: 'inline', tag: first, body: first.body };
  const crowded = tags.length > 1 && tags.find((tag) => tag.verb === 'write' || (tag.body ?? '') !== '');
  return crowded ? { kind: 'crowded', tag: crowded } : { kind: 'tags', tags };
}

/** A body that itself looks like tags, or that holds a closing tag and is ended by a labelled one. */
function readLongInline(line: string, head: TagHead, names: TagNames): TagLine | undefined {
  if (head.argEnd === -1) return undefined;
  const tag = tagUpTo(line, head, head.argEnd);
  const closing = finalClosingTag(line, tag, names);
  if (!closing) return undefined;
  const isFirst = firstClosingTag(line, head.argEnd + 1, (one) => closesTag(one, tag, names))?.start === closing.start;
  if (closing.label === undefined && !isFirst) return { kind: 'crowded', tag };
  return { kind: 'inline', tag, body: line.slice(head.argEnd + 1, closing.start) };
}

function readLoose(line: string, head: TagHead): TagLine | undefined {
  const isTag = head.argEnd !== -1 && takesBody(head.verb);
  return isTag ? { kind: 'loose', tag: tagUpTo(line, head, head.argEnd) } : undefined;
}

function readBroken(line: string, head: TagHead, names: TagNames): TagLine | undefined {
  // Without a body an edit only looks, so its line is prose as that of any reading verb would be.
  if (head.verb === 'edit') return readLoose(line, head);
  const closing = finalClosingTag(line, { verb: head.verb, arg: '' }, names);
  const bodyStart = closing === undefined ? -1 : line.lastIndexOf('>', closing.start);
  const isClosed = bodyStart >= head.argStart;
  return { kind: 'broken', tag: tagUpTo(line, head, isClosed ? bodyStart : line.length - 1), isClosed };
}

function readNearMiss(line: string, names: TagNames): TagLine | undefined {
  const colon = nameEnd(line, 1);
  const written = line.slice(1, colon);
  if (written === '' || line.charAt(colon) !== ':') return undefined;
  const argEnd = line.indexOf('>', colon);
  const inner = line.lastIndexOf('<', argEnd);
  const isClosed = argEnd < line.length - 1;
  if (inner > 0 || (isClosed && !line.endsWith(`</${written}>`))) return undefined;
  const meant = names.nearMiss(written);
  if (meant === undefined) return undefined;
  const tag = {
    verb: written,
    space: undefined,
    written,
    arg: line.slice(colon + 1, argEnd).trim(),
    text: line.slice(0, argEnd + 1),
    body: undefined,
  };
  return { kind: 'near-miss', tag, meant, isClosed };
}
