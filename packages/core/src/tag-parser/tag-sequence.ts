import { skipBlanks } from './characters.ts';
import { closesTag, finalClosingTag, firstClosingTag } from './closes-tag.ts';
import { readClosingTag } from './closing-tag.ts';
import { readTagHead, tagUpTo, type TagHead } from './tag-head.ts';
import type { TagNames } from './tag-names.ts';
import { takesBody, type Tag } from './tag.ts';

interface Piece {
  readonly tag: Tag;
  readonly end: number;
}

/**
 * Reads a line that is nothing but tags, each with the text up to its closing tag if it has one.
 *
 * Returns undefined for any other line. A grep pattern that holds `<` or `>` runs to the last `>`.
 */
export function readTagSequence(line: string, names: TagNames): readonly Tag[] | undefined {
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

function readPiece(line: string, head: TagHead, names: TagNames): Piece | undefined {
  if (head.argEnd === -1) return undefined;
  const tag = tagUpTo(line, head, head.argEnd);
  const bodyStart = head.argEnd + 1;
  const adjacent = readClosingTag(line, bodyStart);
  if (adjacent && closesTag(adjacent, tag, names)) return { tag: withBody(tag, ''), end: adjacent.end };
  const next = skipBlanks(line, bodyStart);
  if (next === line.length || readTagHead(line, next, names)) return { tag, end: bodyStart };
  if (!takesBody(tag.verb)) return undefined;
  const closing = firstClosingTag(line, bodyStart, (one) => closesTag(one, tag, names));
  return closing && { tag: withBody(tag, line.slice(bodyStart, closing.start)), end: closing.end };
}

function readLongPattern(line: string, head: TagHead, names: TagNames): Tag | undefined {
  if (!line.endsWith('>')) return undefined;
  const closing = finalClosingTag(line, { verb: 'grep', arg: '' }, names);
  const end = closing && line.charAt(closing.start - 1) === '>' ? closing.start : line.length;
  return end > head.argStart ? tagUpTo(line, head, end - 1) : undefined;
}

function withBody(tag: Tag, body: string): Tag {
  return takesBody(tag.verb) ? { ...tag, body } : tag;
}
