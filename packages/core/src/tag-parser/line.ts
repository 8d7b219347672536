import { findNameEnd, trimBlanks } from './characters.ts';
import { readBareMention, readEntryElement } from './entries.ts';
import {
  findForeignSyntax,
  FOREIGN_ELEMENTS,
  JSON_OF_LINES,
  mayBeginForeignBlock,
  type ForeignSyntax,
} from './foreign/foreign-syntax.ts';
import { mayBeginJsonCalls, mayHoldJsonCalls } from './foreign/json-calls.ts';
import type { TagNames } from './names.ts';
import { cleanArgument, readClosingTag, readEnding, readTagHead, readTagLine, type TagLine } from './tag.ts';
import { stripTerminalCodes } from './terminal-codes.ts';
import { beginsThought, findLoneEnd, hasThoughtEnd, listThoughts } from './thoughts.ts';

/** Kinds of lines other than prose, each considered on its own. */
export type Line =
  | TagLine
  | FenceLine
  /** A closing tag; `verb` is the name itself if it does not close a tag that takes a body. */
  | { readonly kind: 'close'; readonly verb: string; readonly label: string | undefined }
  | { readonly kind: 'run' }
  /** The first line of a block in the call syntax of other tools. */
  | { readonly kind: 'foreign'; readonly syntax: ForeignSyntax }
  /** A JSON object that may be a call. */
  | { readonly kind: 'json'; readonly text: string }
  /** `@place()`: a move, a decorator or prose; without its parentheses, it is a move only if a call follows. */
  | { readonly kind: 'mention'; readonly place: string; readonly isBare?: true }
  /** A line that begins the model's thoughts. */
  | { readonly kind: 'thought' }
  /** Prose that contains complete thoughts. */
  | { readonly kind: 'inline-thought' }
  /** A line that begins or ends with the closing tag of a thought. */
  | { readonly kind: 'thought-end'; readonly closing: string }
  /** A line that begins with a backslash, which makes it prose. */
  | { readonly kind: 'escaped' };

/** Line that begins with at least three backticks or tildes. */
export interface FenceLine {
  readonly kind: 'fence';
  readonly character: string;
  readonly count: number;
  /** True if nothing follows the marks, so that the line can end a fence. */
  readonly isBare: boolean;
}

/** Kinds of lines that are not executed inside a fence. */
const EXECUTABLE: ReadonlySet<string> = new Set(['tags', 'open', 'crowded', 'broken', 'run']);

/** Kinds of lines with which a text between tags may have been meant to end. */
export const CLOSING: ReadonlySet<string | undefined> = new Set(['close', 'ending', 'loose']);

/** Returns true for a line that would be executed outside a fence. */
export function isExecutable(content: Line | undefined, names: TagNames): boolean {
  if (!content) return false;
  switch (content.kind) {
    case 'foreign':
      return content.syntax.isFabricated !== true;
    case 'mention':
      return content.isBare !== true && names.isPlace(content.place);
    default:
      return EXECUTABLE.has(content.kind);
  }
}

export function isFenceEnd(line: Line | undefined, open: FenceLine): boolean {
  return line?.kind === 'fence' && line.isBare && line.character === open.character && line.count >= open.count;
}

const ENTRY = /^<(?:go|cd|enter|goto)[:\s>]/;
/** Shared by all their lines, of which a text may have many. */
const RUN: Line = { kind: 'run' };
const THOUGHT: Line = { kind: 'thought' };
const JSON_BLOCK: Line = { kind: 'foreign', syntax: JSON_OF_LINES };

const ELEMENTS: ReadonlySet<string> = new Set(['run', ...FOREIGN_ELEMENTS]);

/** Reads a line without surrounding blanks; returns undefined for prose. */
export function readLine(line: string, names: TagNames): Line | undefined {
  return readStart(line, names) ?? readInlineThought(line) ?? readThoughtEnd(line) ?? readEnding(line, names);
}

function readStart(line: string, names: TagNames): Line | undefined {
  switch (line.charAt(0)) {
    case '<':
      return line.charAt(1) === '/' ? readClose(line, names) : readOpen(line, names);
    case '`':
    case '~':
      return (line.includes('tool_') ? readForeign(line, names) : undefined) ?? readFence(line);
    case '{':
      if (mayHoldJsonCalls(line)) return { kind: 'json', text: line };
      return mayBeginJsonCalls(line) ? JSON_BLOCK : undefined;
    case '[':
      if (beginsThought(line)) return THOUGHT;
      if (mayBeginJsonCalls(line)) return JSON_BLOCK;
      return readForeign(line, names) ?? (mayHoldJsonCalls(line) ? { kind: 'json', text: line } : undefined);
    case 'A':
    case 'O':
    case 'T':
    case '*':
    case 'f':
      return mayBeginForeignBlock(line) ? readForeign(line, names) : undefined;
    case '@':
      return readMention(line, names);
    case '✿':
      return readForeign(line, names);
    case '◁':
    case 'H':
    case 'a':
      return beginsThought(line) ? THOUGHT : undefined;
    case '\\':
      return line.charAt(1) === '<' ? { kind: 'escaped' } : undefined;
    default:
      return undefined;
  }
}

/** Reads a line that begins or ends with the closing tag of a thought; returns undefined for any other line. */
export function readThoughtEnd(line: string): (Line & { readonly kind: 'thought-end' }) | undefined {
  const closing = findLoneEnd(line);
  return closing === undefined ? undefined : { kind: 'thought-end', closing };
}

function readInlineThought(line: string): Line | undefined {
  if (!hasThoughtEnd(line)) return undefined;
  const isWhole = listThoughts(line).some(([, end]) => end !== undefined);
  return isWhole ? { kind: 'inline-thought' } : undefined;
}

/** Reads `<@place()>`, or `<go:place>` and `<enter>place</enter>` whether there is such a place or not. */
function readMove(line: string, names: TagNames): Line | undefined {
  const place = readEntryElement(line, names);
  return place === undefined ? undefined : { kind: 'mention', place };
}

function readOpen(line: string, names: TagNames): Line | undefined {
  if (line.charAt(1) === '@') {
    const head = readTagHead(line, 0, names);
    const isCall = head !== undefined && names.resolve(head.verb) !== undefined;
    return (isCall ? undefined : readMove(line, names)) ?? readTagLine(line, names);
  }
  if (line.charAt(4) === '>' && line.slice(0, 5).toLowerCase() === '<run>') return RUN;
  const tag = readTagLine(line, names);
  if (tag && tag.kind !== 'near-miss') return tag;
  if (beginsThought(line)) return THOUGHT;
  const move = ENTRY.test(line) ? readMove(line, names) : undefined;
  if (move) return move;
  return readForeign(line, names) ?? tag;
}

function readForeign(line: string, names: TagNames): Line | undefined {
  const syntax = findForeignSyntax(line, names);
  return syntax && { kind: 'foreign', syntax };
}

function readClose(line: string, names: TagNames): Line | undefined {
  const closing = readClosingTag(line, 0);
  if (closing?.end !== line.length) return undefined;
  const { written, label } = closing;
  const verb =
    names.resolve(written)?.verb ??
    (ELEMENTS.has(written.toLowerCase()) || names.wasNearMiss(written) ? written : undefined);
  if (verb === undefined) return undefined;
  return { kind: 'close', verb, label: label === undefined ? undefined : cleanArgument(verb, label) };
}

function readFence(line: string): FenceLine | undefined {
  const character = line.charAt(0);
  let count = 0;
  while (line.charAt(count) === character) count++;
  // Backticks after backticks are inline code.
  if (count < 3 || (character === '`' && line.includes('`', count))) return undefined;
  return { kind: 'fence', character, count, isBare: count === line.length };
}

function readMention(line: string, names: TagNames): Line | undefined {
  const end = findNameEnd(line, 1);
  if (end + 2 === line.length && line.endsWith('()')) return { kind: 'mention', place: line.slice(1, end) };
  const place = end === line.length ? readBareMention(line, names) : undefined;
  return place === undefined ? undefined : { kind: 'mention', place, isBare: true };
}

/** Returns true if a line, without surrounding blanks, is prose in every context. */
export function isProse(line: string, names: TagNames): boolean {
  const content = readLine(line, names);
  if (content?.kind === 'ending') return true;
  if (content?.kind !== 'mention') return content === undefined;
  return content.isBare === true || !(names.isPlace(content.place) || names.isNearPlace(content.place));
}

/** Reads a line as if it had no colours and links; bodies on it keep theirs. */
export function readCodedLine(raw: string, names: TagNames) {
  const { detected, visible } = stripTerminalCodes(raw);
  const line = readLine(trimBlanks(detected), names);
  const content = line?.kind === 'tags' ? restoreBody(line, raw) : line;
  // The displayed text must have no more meaning than the text that was read, or the prose would contain calls. A fence
  // hides calls, so it must be displayed as one.
  const isHarmless = visible === detected || (line?.kind !== 'fence' && isProse(trimBlanks(visible), names));
  return { content, visible: isHarmless ? visible : detected };
}

function restoreBody(line: Line & { kind: 'tags' }, raw: string): Line {
  const [tag, ...others] = line.tags;
  if (tag?.body === undefined || others.length > 0) return line;
  const open = raw.indexOf(`<${tag.written}:`);
  const start = raw.indexOf('>', open) + 1;
  const end = raw.lastIndexOf('</');
  const isFound = open !== -1 && start > 0 && end >= start;
  return isFound ? { kind: 'tags', tags: [{ ...tag, body: raw.slice(start, end) }] } : line;
}

/** Returns a text without its parts between offsets, which may overlap. */
export function cutRanges(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
  let rest = '';
  let from = 0;
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    rest += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return rest + text.slice(from);
}
