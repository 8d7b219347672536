import { nameEnd } from './characters.ts';
import { cleanArgument } from './clean-argument.ts';
import { readClosingTag } from './closing-tag.ts';
import { readFenceLine, type FenceLine } from './fence-line.ts';
import type { TagNames } from './tag-names.ts';
import { readTagLine, type TagLine } from './tag-line.ts';

/** What a line can be besides prose, seen on its own. */
export type LineKind =
  | TagLine
  | FenceLine
  /** A closing tag; `verb` is the name itself when it closes nothing that takes a body. */
  | { readonly kind: 'close'; readonly verb: string; readonly label?: string }
  | { readonly kind: 'run' }
  | { readonly kind: 'tool-call' }
  /** An answer of a tool that the model made up. */
  | { readonly kind: 'fabricated'; readonly name: string }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'go'; readonly place: string }
  /** A move to a place whose name is almost a known one, unless it is a decorator. */
  | { readonly kind: 'near-place'; readonly place: string }
  /** A line that begins with a backslash so that it is not looked at. */
  | { readonly kind: 'escaped' };

const STRUCTURE = new Set(['run', 'tool_call', 'tool_response', 'tool_use']);
const FABRICATED = ['tool_response', 'tool_use'];

/** Reads a line without the blanks around it; undefined when it is prose. */
export function readLine(line: string, names: TagNames): LineKind | undefined {
  switch (line.charAt(0)) {
    case '<':
      return line.charAt(1) === '/' ? readClose(line, names) : readOpen(line, names);
    case '`':
    case '~':
      return readFenceLine(line);
    case '{':
      return isToolJson(line) ? { kind: 'json', text: line } : undefined;
    case '@':
      return readMention(line, names);
    case '\\':
      return line.charAt(1) === '<' ? { kind: 'escaped' } : undefined;
    default:
      return undefined;
  }
}

function readOpen(line: string, names: TagNames): LineKind | undefined {
  if (line.charAt(4) === '>' && line.slice(0, 5).toLowerCase() === '<run>') return { kind: 'run' };
  if (line.startsWith('<tool_')) {
    if (line.startsWith('<tool_call>')) return { kind: 'tool-call' };
    const name = FABRICATED.find((one) => line.startsWith(one, 1) && /[\s/>]/.test(line.charAt(one.length + 1)));
    if (name !== undefined) return { kind: 'fabricated', name };
  }
  return readTagLine(line, names);
}

function readClose(line: string, names: TagNames): LineKind | undefined {
  const closing = readClosingTag(line, 0);
  if (closing?.end !== line.length) return undefined;
  const { written, label } = closing;
  const verb =
    names.resolve(written)?.verb ??
    (STRUCTURE.has(written.toLowerCase()) || names.wasNearMiss(written) ? written : undefined);
  if (verb === undefined) return undefined;
  return { kind: 'close', verb, ...(label !== undefined && { label: cleanArgument(verb, label) }) };
}

function isToolJson(line: string): boolean {
  return line.endsWith('}') && line.includes('"name"') && line.includes('"arguments"');
}

function readMention(line: string, names: TagNames): LineKind | undefined {
  const end = nameEnd(line, 1);
  if (end + 2 !== line.length || !line.endsWith('()')) return undefined;
  const place = line.slice(1, end);
  if (names.isPlace(place)) return { kind: 'go', place };
  return names.isNearPlace(place) ? { kind: 'near-place', place } : undefined;
}
