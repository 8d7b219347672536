import { findNameEnd, skipBlanks } from './characters.ts';
import type { TagNames } from './names.ts';
import {
  isClosingTagOf,
  completeTag,
  findClosingTag,
  readClosingTag,
  readFinalClosingTag,
  readTagHead,
  canHaveBody,
  cleanArgument,
  type Tag,
  type TagHead,
} from './tag.ts';

/** A line that begins with `<name:`. */
export type TagLine =
  /** Tags that are complete calls, or one tag with its body and closing tag. */
  | { readonly kind: 'tags'; readonly tags: readonly Tag[] }
  /** A tag alone on its line whose body, if it has one, follows. */
  | { readonly kind: 'open'; readonly tag: Tag }
  /** A tag with a body that shares its line with something else. */
  | { readonly kind: 'crowded'; readonly tag: Tag }
  /** A tag with text behind it, which is prose unless a later line closes the tag. */
  | { readonly kind: 'loose'; readonly tag: Tag }
  /** A tag whose argument has `<` or `>` in it, or that has no end on its line. */
  | { readonly kind: 'broken'; readonly tag: Tag; readonly isClosed: boolean; readonly openQuote: string | undefined }
  /** Text that ends with a closing tag. */
  | { readonly kind: 'ending'; readonly verb: string; readonly label?: string }
  /** A tag whose name is similar to a known one. */
  | { readonly kind: 'near-miss'; readonly tag: Tag; readonly meant: string; readonly isClosed: boolean };

/** Reads a trimmed line that begins with `<`; undefined when it is prose. */
export function readTagLine(line: string, names: TagNames): TagLine | undefined {
  const head = readTagHead(line, 0, names);
  if (!line.endsWith('>')) return head && (readLoose(line, head) ?? readUnended(line, head));
  if (!head) return readNearMiss(line, names);
  if (head.openQuote !== undefined && head.verb !== 'grep') return readUnended(line, head);
  if (head.argEnd === line.length - 1) {
    const tag = completeTag(line, head, head.argEnd);
    return canHaveBody(tag.verb) ? { kind: 'open', tag } : { kind: 'tags', tags: [tag] };
  }
  const sequence = readSequence(line, names);
  if (sequence) return classifySequence(sequence);
  if (canHaveBody(head.verb)) return readLongInline(line, head, names) ?? readBroken(line, head, names);
  return readUnended(line, head);
}

/** Reads a line of text that ends with a closing tag of a verb that takes a body; undefined for every other line. */
export function readEnding(line: string, names: TagNames): (TagLine & { readonly kind: 'ending' }) | undefined {
  const start = line.endsWith('>') ? line.lastIndexOf('</') : -1;
  const closing = start < 1 ? undefined : readClosingTag(line, start);
  const verb = closing?.end === line.length ? names.resolve(closing.written)?.verb : undefined;
  if (!closing || verb === undefined || !canHaveBody(verb)) return undefined;
  const label = closing.label === undefined ? {} : { label: cleanArgument(verb, closing.label) };
  return { kind: 'ending', verb, ...label };
}

/** Reads the beginning of a tag that has no end on its line. */
function readUnended(line: string, head: TagHead): TagLine | undefined {
  if (head.argEnd !== -1 && head.openQuote === undefined) return undefined;
  const { verb, openQuote } = head;
  if (verb === 'grep' && line.includes('>', head.argStart)) return undefined;
  return { kind: 'broken', tag: { ...completeTag(line, head, line.length), text: line }, isClosed: false, openQuote };
}

/**
 * Reads a line that consists of tags only, each with the text up to its closing tag if it has one.
 *
 * Returns undefined for any other line. A grep pattern that contains `<` or `>` runs to the last `>`.
 */
function readSequence(line: string, names: TagNames): readonly Tag[] | undefined {
  const tags: Tag[] = [];
  let pattern: TagHead | undefined;
  let beforePattern = 0;
  let at = 0;
  while (at < line.length) {
    const head = readTagHead(line, at, names);
    if (head?.verb === 'grep') {
      pattern = head;
      beforePattern = tags.length;
    }
    const piece = head && readPiece(line, head, names);
    if (!piece) {
      const grep = pattern && readLongPattern(line, pattern, names);
      return grep && [...tags.slice(0, beforePattern), grep];
    }
    tags.push(piece.tag);
    at = skipBlanks(line, piece.end);
  }
  return tags;
}

function readPiece(
  line: string,
  head: TagHead,
  names: TagNames,
): { readonly tag: Tag; readonly end: number } | undefined {
  if (head.argEnd === -1) return undefined;
  const tag = completeTag(line, head, head.argEnd);
  const bodyStart = head.argEnd + 1;
  const adjacent = readClosingTag(line, bodyStart);
  if (adjacent && isClosingTagOf(adjacent, tag, names)) {
    return { tag: canHaveBody(tag.verb) ? { ...tag, body: '' } : tag, end: adjacent.end };
  }
  const next = skipBlanks(line, bodyStart);
  if (next === line.length || readTagHead(line, next, names)) return { tag, end: bodyStart };
  if (!canHaveBody(tag.verb)) return undefined;
  const closing = findClosingTag(line, bodyStart, (one) => isClosingTagOf(one, tag, names));
  return closing && { tag: { ...tag, body: line.slice(bodyStart, closing.start) }, end: closing.end };
}

function readLongPattern(line: string, head: TagHead, names: TagNames): Tag | undefined {
  const closing = readFinalClosingTag(line, { verb: 'grep', arg: '' }, names);
  const end = closing && line.charAt(closing.start - 1) === '>' ? closing.start : line.length;
  return end > head.argStart ? completeTag(line, head, end - 1) : undefined;
}

function classifySequence(tags: readonly Tag[]): TagLine {
  const crowded = tags.length > 1 && tags.find((tag) => tag.verb === 'write' || (tag.body ?? '') !== '');
  return crowded ? { kind: 'crowded', tag: crowded } : { kind: 'tags', tags };
}

/** Reads a body that itself looks like tags, or that contains a closing tag and is ended by a labelled one. */
function readLongInline(line: string, head: TagHead, names: TagNames): TagLine | undefined {
  if (head.argEnd === -1) return undefined;
  const tag = completeTag(line, head, head.argEnd);
  const closing = readFinalClosingTag(line, tag, names);
  if (!closing) return undefined;
  const isFirst =
    findClosingTag(line, head.argEnd + 1, (one) => isClosingTagOf(one, tag, names))?.start === closing.start;
  if (closing.label === undefined && !isFirst) return { kind: 'crowded', tag };
  return { kind: 'tags', tags: [{ ...tag, body: line.slice(head.argEnd + 1, closing.start) }] };
}

function readLoose(line: string, head: TagHead): TagLine | undefined {
  const isTag = head.argEnd !== -1 && canHaveBody(head.verb);
  return isTag ? { kind: 'loose', tag: completeTag(line, head, head.argEnd) } : undefined;
}

function readBroken(line: string, head: TagHead, names: TagNames): TagLine | undefined {
  if (head.argEnd !== -1 && head.verb === 'edit') return readLoose(line, head);
  const closing = readFinalClosingTag(line, { verb: head.verb, arg: '' }, names);
  const bodyStart = closing === undefined ? -1 : line.lastIndexOf('>', closing.start);
  const isClosed = bodyStart >= head.argStart;
  const tag = completeTag(line, head, isClosed ? bodyStart : line.length - 1);
  return { kind: 'broken', tag, isClosed, openQuote: undefined };
}

function readNearMiss(line: string, names: TagNames): TagLine | undefined {
  const colon = findNameEnd(line, 1);
  const written = line.slice(1, colon);
  if (written === '' || line.charAt(colon) !== ':') return undefined;
  const argEnd = line.indexOf('>', colon);
  const inner = line.lastIndexOf('<', argEnd);
  const isClosed = argEnd < line.length - 1;
  if (inner > 0 || (isClosed && !line.endsWith(`</${written}>`))) return undefined;
  const meant = names.findNearMiss(written);
  if (meant === undefined) return undefined;
  const [arg, text] = [line.slice(colon + 1, argEnd).trim(), line.slice(0, argEnd + 1)];
  const tag: Tag = { verb: written, space: undefined, written, arg, text, isSelfClosed: false };
  return { kind: 'near-miss', tag, meant, isClosed };
}
