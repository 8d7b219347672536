import { findLineEnd, isBlank, markCodes, skipBlanks, trimBlanks } from './characters.ts';
import type { ForeignSyntax } from './foreign/foreign-syntax.ts';
import { readCodedLine, readLine, type Line, isProse, readThoughtEnd } from './line.ts';
import type { TagNames } from './names.ts';
import { CLOSINGS } from './thoughts.ts';
import { canHaveBody, isLabelOf, type Tag, readEnding } from './tag.ts';
import { ESCAPE, stripTerminalCodes } from './terminal-codes.ts';

/** Place of a candidate line in its text. */
export interface LinePlace {
  /** Index among the candidates. */
  readonly index: number;
  /** Number of the line in the text, from 1. */
  readonly number: number;
  readonly start: number;
  /** Offset of the line break that ends the line. */
  readonly end: number;
  /** Offset of the first character that is not blank of the nearest line above that has one; -1 if there is none. */
  readonly above: number;
}

/** Line that may be more than prose, or prose that is displayed in a different form. */
export interface CandidateLine extends LinePlace {
  /** Kind of the line on its own; undefined for prose. */
  readonly content: Line | undefined;
  /** Form in which the line is displayed as prose; undefined if it is unchanged. */
  readonly visible: string | undefined;
  /**
   * Line that closes the body opened by this line; for a closing tag, the one that would close a tag directly after it.
   */
  closer: CandidateLine | undefined;
  /** Line at whose end the body is closed, if no line of its own closes it. */
  ending: LinePlace | undefined;
  /** True if a closing tag follows that closes neither this line nor another: the text before it is a body. */
  isMisclosed: boolean;
}

/**
 * Marks the codes of the characters with which every line that is more than prose begins, except `Action:`,
 * `Observation:` and `Tool:`.
 */
const BEGINS_STRUCTURE = markCodes('<`~{@\\[*');

/** Length of `</create_issue>`, in characters. */
const LONGEST_SHARED = 16;

const BYTE_ORDER_MARK = '\uFEFF';

/** Makes every line end with a line feed alone, and removes a byte order mark. */
export function normalizeText(raw: string): string {
  const text = raw.startsWith(BYTE_ORDER_MARK) ? raw.slice(1) : raw;
  if (!text.includes('\r')) return text;
  const lines = text.replaceAll('\r\n', '\n');
  return lines.endsWith('\r') ? lines.slice(0, -1) : lines;
}

/** Reads a text line by line, once, and returns the candidates in order. */
export function scanLines(text: string, names: TagNames): readonly CandidateLine[] {
  const lines: CandidateLine[] = [];
  const known = new Map<string, Line>();
  let number = 0;
  let escape = findOrEnd(text, ESCAPE, 0);
  // A closing tag, or the end of a thought, may follow text on its line.
  const findClosing = (from: number): number => {
    for (let at = 0; at < CLOSINGS.length; at++) {
      if (closings[at]! < from) closings[at] = findOrEnd(text, CLOSINGS[at]!, from);
    }
    return Math.min(...closings);
  };
  const closings = CLOSINGS.map(() => -1);
  let closing = findClosing(0);
  let last = -1;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = findLineEnd(text, start);
    number++;
    const first = skipBlanks(text, start, end);
    const above = last;
    if (first < end) last = first;
    const hasClosing = closing < end;
    const hasCodes = escape < end;
    if (hasClosing) closing = findClosing(end);
    if (hasCodes) escape = findOrEnd(text, ESCAPE, end);
    else if (first === end || !(hasClosing || mayBeginStructure(text, first))) continue;
    const coded = hasCodes ? readCodedLine(text.slice(start, end), names) : undefined;
    const content = coded ? coded.content : readShared(trimBlanks(text, first, end), names, known);
    if (!content && !hasCodes) continue;
    lines.push({
      index: lines.length,
      number,
      start,
      end,
      above,
      content,
      visible: coded?.visible,
      closer: undefined,
      ending: undefined,
      isMisclosed: false,
    });
  }
  matchClosers(lines);
  return lines;
}

/** Reads a line; short ones, most of which occur many times in a text, once. */
function readShared(line: string, names: TagNames, known: Map<string, Line>): Line | undefined {
  if (line.length > LONGEST_SHARED) return readLine(line, names);
  const shared = known.get(line);
  if (shared) return shared;
  const content = readLine(line, names);
  if (content) known.set(line, content);
  return content;
}

function mayBeginStructure(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (BEGINS_STRUCTURE[code] === 1) return true;
  if (code === 102) return text.startsWith('functools[', at);
  if (code === 0x273f) return true;
  if (code === 97) return text.startsWith('analysis', at) || text.startsWith('assistant', at);
  if (code === 72) return text.startsWith('Here', at);
  if (code === 84) return text.startsWith('Tool:', at);
  return (code === 65 && text.startsWith('Action:', at)) || (code === 79 && text.startsWith('Observation:', at));
}

function findOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
}

/**
 * Finds, for every line that opens a body, the line that closes it. Goes through the lines once, backwards. A closing
 * tag with a label closes only the tag with that argument; one without closes the nearest tag of its verb that is still
 * open, so tags nest. A tag that nothing closes leaves all earlier tags of its verb open as well, unless they have
 * labelled closing tags.
 */
function matchClosers(lines: readonly CandidateLine[]): void {
  /** Closing tag that a tag just before the current line would get, by verb. */
  const nearest = new Map<string, CandidateLine | undefined>();
  /** First closing tag after the current line, by verb and label. */
  const labelled = new Map<string, Map<string, CandidateLine>>();
  /** Nearest text that ends with its closing tag, with no other tag of the verb before it, by verb. */
  const endings = new Map<string, { readonly line: LinePlace; readonly label: string | undefined }>();
  /** Closing tags that nothing has taken yet, the next one last; none if there is a tag before them. */
  const stray: CandidateLine[] = [];

  function open(line: CandidateLine, { verb, arg }: Tag, isBroken: boolean): void {
    const closer =
      labelled.get(verb)?.get(arg) ??
      nearest.get(verb) ??
      (closesByPath(stray.at(-1), verb, arg) ? stray.at(-1) : undefined);
    const ending = endings.get(verb);
    line.closer = closer;
    line.isMisclosed = stray.length > 0 && !closer && !ending;
    stray.length = 0;
    if (!closer && ending && (ending.label === undefined || isLabelOf(ending.label, arg))) line.ending = ending.line;
    endings.delete(verb);
    // The closing tag that a broken tag might take may belong to another tag.
    if (!isBroken) nearest.set(verb, closer?.closer);
  }

  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    const { content } = line;
    switch (content?.kind) {
      case 'close': {
        const { verb, label } = content;
        if (!canHaveBody(verb)) stray.length = 0;
        else stray.push(line);
        line.closer = nearest.get(verb);
        if (label === undefined) nearest.set(verb, line);
        else labelled.set(verb, (labelled.get(verb) ?? new Map<string, CandidateLine>()).set(label, line));
        break;
      }
      case 'ending':
        endings.set(content.verb, { line, label: content.label });
        break;
      case 'run':
      case 'foreign':
        // The next closing tag is that of this block.
        stray.pop();
        break;
      case 'tags':
        stray.length = 0;
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

/** Returns true for a closing tag whose label is the argument of a tag without its lines or options. */
function closesByPath(line: CandidateLine | undefined, verb: string, arg: string): line is CandidateLine {
  const content = line?.content;
  return content?.kind === 'close' && content.verb === verb && isLabelOf(content.label ?? '', arg);
}

/** Several consecutive blank lines, with the line breaks around them. */
const BLANK_LINES = /\n[ \t\r\uFEFF]*\n[ \t\r\n\uFEFF]*\n/g;

interface Tail {
  readonly text: string;
  readonly closing: string;
}

/** Moves over the candidate lines of a text, and collects the rest as prose. */
export class LineCursor {
  readonly closings: ClosingSearch;
  readonly #text: string;
  readonly #lines: readonly CandidateLine[];
  readonly #names: TagNames;
  /** Pieces of the prose so far. */
  #prose: string[] = [];
  /** Offset after the text that has been added to the prose or removed. */
  #from = 0;
  #next = 0;

  constructor(text: string, lines: readonly CandidateLine[], names: TagNames) {
    this.closings = new ClosingSearch(text);
    this.#text = text;
    this.#lines = lines;
    this.#names = names;
  }

  /** Returns the next candidate; undefined at the end of the text. */
  next(): CandidateLine | undefined {
    return this.#lines[this.#next++];
  }

  /** Keeps a line as prose, displayed as another text if there is one. */
  keep({ visible, start, end }: CandidateLine, text = visible): void {
    if (text !== undefined) this.#replace(start, end + 1, text);
  }

  /** Keeps all lines up to an offset as prose, whatever they contain. */
  keepThrough(line: CandidateLine, end: number): void {
    this.keep(line);
    for (let next = this.#peek(end); next; next = this.#peek(end)) {
      this.keep(next);
      this.#next++;
    }
  }

  /** Discards the prose up to the end of a line, except text after a closing tag on it. */
  restart(line: LinePlace, end: number, closing: string): void {
    this.#prose = [];
    this.#from = 0;
    this.removeThrough({ ...line, start: 0 }, end, closing);
  }

  /** Removes a line and everything up to the last line of its body. */
  remove(line: LinePlace, last = line): void {
    this.#cut(line.start, last.end + 1);
    this.#next = last.index + 1;
  }

  /** Removes the lines up to the one on which a closing tag ends, but keeps the text after the tag. */
  removeThrough(line: LinePlace, end: number, closing: string): void {
    const lineEnd = findLineEnd(this.#text, end);
    this.removeUpTo(line, lineEnd + 1, { text: this.#text.slice(end, lineEnd), closing });
  }

  /** Removes everything up to the start of another line, but keeps the tail. */
  removeUpTo({ start }: LinePlace, next: number, { text, closing }: Tail): void {
    const tail = trimBlanks(stripTerminalCodes(text).visible);
    // The closing tag is kept before a tail that, alone on its line, would be more than prose.
    if (tail === '') this.#cut(start, next);
    else this.#replace(start, next, isProse(tail, this.#names) ? tail : `${closing} ${tail}`);
    while (this.#peek(next)) this.#next++;
  }

  removeRest({ start }: LinePlace): void {
    this.#cut(start, this.#text.length);
    this.#next = Infinity;
  }

  /** True while every line is kept as it is. */
  get isWhole(): boolean {
    return this.#from === 0;
  }

  finish(): string {
    return squeezeBlankLines(this.#prose.join('') + this.#text.slice(this.#from));
  }

  /** Returns the next candidate, if it begins before an offset. */
  #peek(end: number): CandidateLine | undefined {
    const next = this.#lines[this.#next];
    return next && next.start < end ? next : undefined;
  }

  #cut(start: number, end: number): void {
    if (start > this.#from) this.#prose.push(this.#text.slice(this.#from, start));
    this.#from = end;
  }

  /** Replaces whole lines by one whose closing tags cannot close an earlier tag or thought. */
  #replace(start: number, end: number, line: string): void {
    let text = line;
    for (let at = this.#findClosing(text); at !== -1; at = this.#findClosing(text)) {
      text = `${text.slice(0, at)}< /${text.slice(at + 2)}`;
    }
    this.#cut(start, end);
    this.#prose.push(`${text}\n`);
  }

  #findClosing(line: string): number {
    const trimmed = trimBlanks(line);
    if (readEnding(trimmed, this.#names)) return line.lastIndexOf('</');
    const end = readThoughtEnd(trimmed);
    return end ? line.indexOf(end.closing) : -1;
  }
}

/** Replaces several consecutive blank lines by one, and removes those at both ends. */
function squeezeBlankLines(text: string): string {
  const squeezed = text.replaceAll(BLANK_LINES, '\n\n');
  let [start, end] = [0, squeezed.length];
  while (isBlankOrBreak(squeezed, start)) start++;
  while (end > start && isBlankOrBreak(squeezed, end - 1)) end--;
  return squeezed.slice(start, end);
}

function isBlankOrBreak(text: string, index: number): boolean {
  return text.charAt(index) === '\n' || isBlank(text.charCodeAt(index));
}

/** Finds the start of a block in its first line, of which terminal codes may hide a part; -1 if they hide it. */
export function findBlockStart(
  text: string,
  line: CandidateLine,
  { syntax, names }: { readonly syntax: ForeignSyntax; readonly names: TagNames },
): number {
  const first = skipBlanks(text, line.start);
  if (line.visible === undefined) return first;
  for (let at = first; at < line.end; at++) {
    const isMark = '<[`~AO'.includes(text.charAt(at));
    if (isMark && syntax.isStart(trimBlanks(text, at, line.end), names)) return at;
  }
  return -1;
}

/** Searches a text for closing tags, and never again for one that does not follow. */
class ClosingSearch {
  readonly #text: string;
  /** Offset of the last occurrence of each closing tag that was searched for. */
  readonly #last = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset of the first occurrence from an offset on; -1 if there is none. */
  find(closing: string, from: number): number {
    const last = this.#last.get(closing) ?? this.#text.lastIndexOf(closing);
    this.#last.set(closing, last);
    return from > last ? -1 : this.#text.indexOf(closing, from);
  }
}
