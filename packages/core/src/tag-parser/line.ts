import { findNameEnd, trimBlanks } from './characters.ts';
import {
  findForeignSyntax,
  FOREIGN_ELEMENTS,
  mayBeginForeignBlock,
  type ForeignSyntax,
} from './foreign/foreign-syntax.ts';
import { mayHoldJsonCalls } from './foreign/json-calls.ts';
import type { TagNames } from './names.ts';
import { cleanArgument, readClosingTag, readEnding, readTagLine, type TagLine } from './tag.ts';
import { stripTerminalCodes } from './terminal-codes.ts';

/** What a line can be besides prose, on its own. */
export type Line =
  | TagLine
  | FenceLine
  /** A closing tag; `verb` is the name itself when it closes nothing that takes a body. */
  | { readonly kind: 'close'; readonly verb: string; readonly label: string | undefined }
  | { readonly kind: 'run' }
  /** The first line of a block in the call syntax of other tools. */
  | { readonly kind: 'foreign'; readonly syntax: ForeignSyntax }
  /** A JSON object that may be a call. */
  | { readonly kind: 'json'; readonly text: string }
  /** `@place()`: a move, a decorator or prose. */
  | { readonly kind: 'mention'; readonly place: string }
  /** A line that begins what a model writes to itself, up to `closing`. */
  | { readonly kind: 'thought'; readonly closing: string }
  /** A line that begins or ends with the closing tag of a thought. */
  | { readonly kind: 'thought-end'; readonly closing: string }
  /** A line that begins with a backslash, which makes it prose. */
  | { readonly kind: 'escaped' };

/** A line that begins with at least three backticks or tildes. */
export interface FenceLine {
  readonly kind: 'fence';
  readonly character: string;
  readonly count: number;
  /** True when nothing follows the marks, so that the line can end a fence. */
  readonly isBare: boolean;
}

export function isFenceEnd(line: Line | undefined, open: FenceLine): boolean {
  return line?.kind === 'fence' && line.isBare && line.character === open.character && line.count >= open.count;
}

const THOUGHT = /^<(think|thinking|reasoning)>/i;
/** Matches a line that begins or ends with the closing tag of a thought. */
const THOUGHT_END = /^(<\/(?:think|thinking|reasoning)>)|(<\/(?:think|thinking|reasoning)>)$/i;

const ELEMENTS: ReadonlySet<string> = new Set(['run', ...FOREIGN_ELEMENTS]);

/** Reads a line without the blanks around it; undefined when it is prose. */
export function readLine(line: string, names: TagNames): Line | undefined {
  return readStart(line, names) ?? readThoughtEnd(line) ?? readEnding(line, names);
}

function readStart(line: string, names: TagNames): Line | undefined {
  switch (line.charAt(0)) {
    case '<':
      return line.charAt(1) === '/' ? readClose(line, names) : readOpen(line, names);
    case '`':
    case '~':
      return (line.includes('tool_') ? readForeign(line, names) : undefined) ?? readFence(line);
    case '{':
      return mayHoldJsonCalls(line) ? { kind: 'json', text: line } : undefined;
    case '[':
      return readForeign(line, names) ?? (mayHoldJsonCalls(line) ? { kind: 'json', text: line } : undefined);
    case 'A':
    case 'O':
      return mayBeginForeignBlock(line) ? readForeign(line, names) : undefined;
    case '@':
      return readMention(line);
    case '\\':
      return line.charAt(1) === '<' ? { kind: 'escaped' } : undefined;
    default:
      return undefined;
  }
}

/** Reads a line that begins or ends with the closing tag of a thought; undefined for every other line. */
export function readThoughtEnd(line: string): (Line & { readonly kind: 'thought-end' }) | undefined {
  if (!line.endsWith('>') && !line.startsWith('</')) return undefined;
  const match = THOUGHT_END.exec(line);
  return match ? { kind: 'thought-end', closing: (match[1] ?? match[2])! } : undefined;
}

function readOpen(line: string, names: TagNames): Line | undefined {
  if (line.charAt(4) === '>' && line.slice(0, 5).toLowerCase() === '<run>') return { kind: 'run' };
  const tag = readTagLine(line, names);
  if (tag && tag.kind !== 'near-miss') return tag;
  const thought = THOUGHT.exec(line)?.[1];
  if (thought !== undefined) return { kind: 'thought', closing: `</${thought}>` };
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
  // Backticks behind backticks are inline code.
  if (count < 3 || (character === '`' && line.includes('`', count))) return undefined;
  return { kind: 'fence', character, count, isBare: count === line.length };
}

function readMention(line: string): Line | undefined {
  const end = findNameEnd(line, 1);
  return end + 2 === line.length && line.endsWith('()') ? { kind: 'mention', place: line.slice(1, end) } : undefined;
}

/** True when a line, without the blanks around it, is prose in every context. */
export function isProse(line: string, names: TagNames): boolean {
  const content = readLine(line, names);
  if (content?.kind === 'ending') return true;
  if (content?.kind !== 'mention') return content === undefined;
  return !names.isPlace(content.place) && !names.isNearPlace(content.place);
}

/** Reads a line as if its colours and links were not there; bodies on it keep theirs. */
export function readCodedLine(raw: string, names: TagNames) {
  const { detected, visible } = stripTerminalCodes(raw);
  const line = readLine(trimBlanks(detected), names);
  const content = line?.kind === 'tags' ? restoreBody(line, raw) : line;
  // What is shown must mean as little as what was read, or the prose would contain calls. A fence hides calls, so
  // it has to be shown as one.
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
