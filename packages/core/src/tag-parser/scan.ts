import { findLineEnd, skipBlanks, trimBlanks } from './characters.ts';
import { readCodedLine, readLine, type Line } from './line.ts';
import type { TagNames } from './names.ts';
import { canHaveBody, type Tag } from './tag.ts';
import { ESCAPE } from './terminal-codes.ts';

/** The place of a candidate in its text. */
export interface LinePlace {
  /** Its position among the candidates. */
  readonly index: number;
  /** Number of the line in the text, from 1. */
  readonly number: number;
  readonly start: number;
  /** Offset of the line break that ends the line. */
  readonly end: number;
}

/** A line that may be more than prose, or prose that is not shown as it stands. */
export interface CandidateLine extends LinePlace {
  /** What the line is on its own; undefined for prose. */
  readonly content: Line | undefined;
  /** How the line is shown where it is prose; undefined for as it stands. */
  readonly visible: string | undefined;
  /** The line that closes the body which this line opens. */
  closer: LinePlace | undefined;
  /** The line whose last text ends that body, where no line of its own closes it. */
  ending: LinePlace | undefined;
}

/** Marks the codes of the characters that begin every line that is more than prose, `Action:` and `Observation:` aside. */
const BEGINS_STRUCTURE = Uint8Array.from({ length: 128 }, (_, code) =>
  '<`~{@\\['.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Reads a text line by line, once, and returns the candidates in their order. */
export function scanLines(text: string, names: TagNames): readonly CandidateLine[] {
  const lines: CandidateLine[] = [];
  let number = 0;
  let escape = findOrEnd(text, ESCAPE, 0);
  // A closing tag may stand behind the text of its line.
  let closing = findOrEnd(text, '</', 0);
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = findLineEnd(text, start);
    number++;
    const first = skipBlanks(text, start, end);
    const hasClosing = closing < end;
    const hasCodes = escape < end;
    if (hasClosing) closing = findOrEnd(text, '</', end);
    if (hasCodes) escape = findOrEnd(text, ESCAPE, end);
    else if (first === end || !(hasClosing || mayBeginStructure(text, first))) continue;
    const { content, visible } = hasCodes
      ? readCodedLine(text.slice(start, end), names)
      : { content: readLine(trimBlanks(text, first, end), names), visible: undefined };
    if (!content && !hasCodes) continue;
    lines.push({ index: lines.length, number, start, end, content, visible, closer: undefined, ending: undefined });
  }
  matchClosers(lines);
  return lines;
}

function mayBeginStructure(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (BEGINS_STRUCTURE[code] === 1) return true;
  return (code === 65 && text.startsWith('Action:', at)) || (code === 79 && text.startsWith('Observation:', at));
}

function findOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
}

/**
 * Finds, for every line that opens a body, the line that closes it.
 *
 * Goes backwards through the lines once. A closing tag with a label closes the tag with that argument and no
 * other; one without closes the nearest tag of its verb that is still open, so tags nest. A tag that nothing
 * closes leaves all tags of its verb before it open as well, unless they have labelled closing tags.
 */
function matchClosers(lines: readonly CandidateLine[]): void {
  /** By verb: the closing tag that a tag just before the current line would get. */
  const nearest = new Map<string, CandidateLine | undefined>();
  /** By closing tag: the value of `nearest` right behind it. */
  const behind = new Map<CandidateLine, CandidateLine | undefined>();
  /** By verb and label: the first closing tag behind the current line. */
  const labelled = new Map<string, Map<string, CandidateLine>>();
  /** By verb: the nearest text that ends with its closing tag, with no other tag of the verb before it. */
  const endings = new Map<string, { readonly line: LinePlace; readonly label: string | undefined }>();

  function open(line: CandidateLine, { verb, arg }: Tag, isBroken: boolean): void {
    const closer = labelled.get(verb)?.get(arg) ?? nearest.get(verb);
    const ending = endings.get(verb);
    line.closer = closer;
    if (!closer && ending && (ending.label ?? arg) === arg) line.ending = ending.line;
    endings.delete(verb);
    // The closing tag that a broken tag might take may belong to another one.
    if (!isBroken) nearest.set(verb, closer && behind.get(closer));
  }

  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    const { content } = line;
    switch (content?.kind) {
      case 'close': {
        const { verb, label } = content;
        behind.set(line, nearest.get(verb));
        if (label === undefined) nearest.set(verb, line);
        else labelled.set(verb, (labelled.get(verb) ?? new Map<string, CandidateLine>()).set(label, line));
        break;
      }
      case 'ending':
        endings.set(content.verb, { line, label: content.label });
        break;
      case 'tags':
        if (endings.size > 0) endings.delete(content.tags.find(({ verb }) => canHaveBody(verb))?.verb ?? '');
        break;
      case 'open':
      case 'loose':
        open(line, content.tag, content.kind === 'loose');
        break;
      case 'broken':
      case 'near-miss':
        if (!content.isClosed) open(line, content.tag, content.kind === 'broken');
        break;
      default:
    }
  }
}
