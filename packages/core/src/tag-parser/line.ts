import { findNameEnd, trimBlanks } from './characters.ts';
import { findForeignSyntax, FOREIGN_ELEMENTS, type ForeignSyntax } from './foreign-calls.ts';
import type { TagNames } from './names.ts';
import { readTagLine, type TagLine } from './tag-line.ts';
import { cleanArgument, readClosingTag } from './tag.ts';
import { stripTerminalCodes } from './terminal-codes.ts';

/** What a line can be besides prose, on its own. */
export type Line =
  | TagLine
  | FenceLine
  /** A closing tag; `verb` is the name itself when it closes nothing that takes a body. */
  | { readonly kind: 'close'; readonly verb: string; readonly label?: string }
  | { readonly kind: 'run' }
  /** The first line of a block in the call syntax of other tools. */
  | { readonly kind: 'foreign'; readonly syntax: ForeignSyntax }
  /** A JSON object that may be a call. */
  | { readonly kind: 'json'; readonly text: string }
  /** `@place()`: a move, a decorator or prose. */
  | { readonly kind: 'mention'; readonly place: string }
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

/** A line with terminal codes. */
interface CodedLine {
  readonly content: Line | undefined;
  /** What to show of it where it is prose. */
  readonly visible: string;
}

/** Elements whose closing tags are left out of the prose when nothing opens them. */
const ELEMENTS: ReadonlySet<string> = new Set(['run', ...FOREIGN_ELEMENTS]);

/** Reads a line without the blanks around it; undefined when it is prose. */
export function readLine(line: string, names: TagNames): Line | undefined {
  switch (line.charAt(0)) {
    case '<':
      return line.charAt(1) === '/' ? readClose(line, names) : readOpen(line, names);
    case '`':
    case '~':
      return readFence(line);
    case '{':
      return isToolJson(line) ? { kind: 'json', text: line } : undefined;
    case '@':
      return readMention(line);
    case '\\':
      return line.charAt(1) === '<' ? { kind: 'escaped' } : undefined;
    default:
      return undefined;
  }
}

function readOpen(line: string, names: TagNames): Line | undefined {
  if (line.charAt(4) === '>' && line.slice(0, 5).toLowerCase() === '<run>') return { kind: 'run' };
  const syntax = findForeignSyntax(line);
  return syntax ? { kind: 'foreign', syntax } : readTagLine(line, names);
}

function readClose(line: string, names: TagNames): Line | undefined {
  const closing = readClosingTag(line, 0);
  if (closing?.end !== line.length) return undefined;
  const { written, label } = closing;
  const verb =
    names.resolve(written)?.verb ??
    (ELEMENTS.has(written.toLowerCase()) || names.wasNearMiss(written) ? written : undefined);
  if (verb === undefined) return undefined;
  return { kind: 'close', verb, ...(label !== undefined && { label: cleanArgument(verb, label) }) };
}

function readFence(line: string): FenceLine | undefined {
  const character = line.charAt(0);
  let count = 0;
  while (line.charAt(count) === character) count++;
  // Backticks behind backticks are inline code.
  if (count < 3 || (character === '`' && line.includes('`', count))) return undefined;
  return { kind: 'fence', character, count, isBare: count === line.length };
}

function isToolJson(line: string): boolean {
  return line.endsWith('}') && line.includes('"name"') && line.includes('"arguments"');
}

function readMention(line: string): Line | undefined {
  const end = findNameEnd(line, 1);
  return end + 2 === line.length && line.endsWith('()') ? { kind: 'mention', place: line.slice(1, end) } : undefined;
}

/** True when a line without the blanks around it means nothing, wherever it stands. */
export function isProse(line: string, names: TagNames): boolean {
  const content = readLine(line, names);
  if (content?.kind !== 'mention') return content === undefined;
  return !names.isPlace(content.place) && !names.isNearPlace(content.place);
}

/** Reads a line as if its colours and links were not there; bodies on it keep theirs. */
export function readCodedLine(raw: string, names: TagNames): CodedLine {
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
