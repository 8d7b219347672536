import { findLineEnd, isBlank, skipBlanks, trimBlanks } from './characters.ts';
import { isProse, readThoughtEnd } from './line.ts';
import type { TagNames } from './names.ts';
import type { CandidateLine, CandidateLines, LinePlace } from './scan.ts';
import { readEnding } from './tag-line.ts';
import { stripTerminalCodes } from './terminal-codes.ts';

/** Text behind a closing tag on its line, and that tag. */
interface Tail {
  readonly text: string;
  readonly closing: string;
}

/** Moves over the candidate lines of a text, and collects what is left as prose. */
export class LineCursor {
  readonly #text: string;
  readonly #lines: CandidateLines;
  readonly #names: TagNames;
  #prose: ProseBuilder;
  #next = 0;

  constructor(text: string, lines: CandidateLines, names: TagNames) {
    this.#text = text;
    this.#lines = lines;
    this.#names = names;
    this.#prose = new ProseBuilder(text);
  }

  /** The next candidate; undefined at the end of the text. */
  next(): CandidateLine | undefined {
    return this.#lines.at(this.#next++);
  }

  /** Keeps a line as prose. */
  keep({ visible, start, end }: CandidateLine): void {
    if (visible !== undefined) this.#replace(start, end + 1, visible);
  }

  /** Keeps a line as prose whose last closing tag closes nothing. */
  keepEnding({ visible, start, end }: CandidateLine): void {
    this.#replace(start, end + 1, visible ?? this.#text.slice(start, end));
  }

  /** Keeps a line as prose, without the backslash it begins with. */
  keepEscaped({ visible, start, end }: CandidateLine): void {
    const line = visible ?? this.#text.slice(start, end);
    this.#replace(start, end + 1, line.replace('\\<', '<'));
  }

  /** Keeps all lines up to an offset as prose, whatever they hold. */
  keepThrough(line: CandidateLine, end: number): void {
    this.keep(line);
    while (this.#next < this.#lines.size && this.#lines.startOf(this.#next) < end) {
      this.keep(this.#lines.at(this.#next++)!);
    }
  }

  /** Forgets the prose up to the end of a line, except what follows a closing tag on it. */
  restart(line: LinePlace, end: number, closing: string): void {
    this.#prose = new ProseBuilder(this.#text);
    this.removeThrough({ ...line, start: 0 }, end, closing);
  }

  /** Removes a line, and with it everything up to the last line of its body. */
  remove(line: LinePlace, last = line): void {
    this.#prose.cut(line.start, last.end + 1);
    this.#next = last.index + 1;
  }

  /** Removes the lines up to the one on which a closing tag ends, but keeps what follows the tag. */
  removeThrough(line: LinePlace, end: number, closing: string): void {
    const lineEnd = findLineEnd(this.#text, end);
    this.removeUpTo(line, lineEnd + 1, { text: this.#text.slice(end, lineEnd), closing });
  }

  /** Removes everything up to the beginning of another line, but keeps the tail. */
  removeUpTo({ start }: LinePlace, next: number, { text, closing }: Tail): void {
    const tail = trimBlanks(stripTerminalCodes(text).visible);
    // The closing tag stays in front of a tail that alone on its line would be more than prose.
    if (tail === '') this.#prose.cut(start, next);
    else this.#replace(start, next, isProse(tail, this.#names) ? tail : `${closing} ${tail}`);
    while (this.#next < this.#lines.size && this.#lines.startOf(this.#next) < next) this.#next++;
  }

  /** Removes everything from a line on. */
  removeRest({ start }: LinePlace): void {
    this.#prose.cut(start, this.#text.length);
    this.#next = this.#lines.size;
  }

  /** Replaces whole lines by one whose closing tags cannot be those of a tag or a thought before it. */
  #replace(start: number, end: number, line: string): void {
    let text = line;
    for (let at = this.#findClosing(text); at !== -1; at = this.#findClosing(text)) {
      text = `${text.slice(0, at)}< /${text.slice(at + 2)}`;
    }
    this.#prose.replace(start, end, text);
  }

  #findClosing(line: string): number {
    const trimmed = trimBlanks(line);
    if (readEnding(trimmed, this.#names)) return line.lastIndexOf('</');
    const end = readThoughtEnd(trimmed);
    return end ? line.indexOf(end.closing) : -1;
  }

  /** Returns the prose of the whole text. */
  finish(): string {
    return this.#prose.finish();
  }
}

/** Joins what is left of a text: never two blank lines in a row, none at either end. */
class ProseBuilder {
  readonly #text: string;
  readonly #pieces: string[] = [];
  /** Offset of the text that has not been dealt with. */
  #from = 0;
  #endsBlank = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Removes whole lines. */
  cut(start: number, end: number): void {
    this.#take(start);
    this.#from = end;
  }

  /** Replaces whole lines by another one. */
  replace(start: number, end: number, line: string): void {
    this.cut(start, end);
    const isEmpty = skipBlanks(line, 0) === line.length;
    if (isEmpty && this.#endsBlank) return;
    this.#pieces.push(line, '\n');
    this.#endsBlank = isEmpty;
  }

  finish(): string {
    this.#take(this.#text.length);
    const pieces = this.#pieces;
    while (pieces.length > 0 && findTrimmedEnd(pieces.at(-1)!) === 0) pieces.pop();
    const last = pieces.pop() ?? '';
    pieces.push(last.slice(0, findTrimmedEnd(last)));
    pieces[0] = pieces[0]!.slice(skipBlanks(pieces[0]!, 0));
    // Unlike `join`, `+=` copies nothing before the text is used.
    let prose = '';
    for (const piece of pieces) prose += piece;
    return prose;
  }

  #take(end: number): void {
    const start = this.#endsBlank ? skipBlankLines(this.#text, this.#from, end) : this.#from;
    if (start >= end) return;
    this.#pieces.push(this.#text.slice(start, end));
    this.#endsBlank = endsWithBlankLine(this.#text, start, end);
  }
}

function skipBlankLines(text: string, from: number, to: number): number {
  let lineStart = from;
  for (;;) {
    const index = skipBlanks(text, lineStart, to);
    if (index >= to) return to;
    if (text.charCodeAt(index) !== 10) return lineStart;
    lineStart = index + 1;
  }
}

function endsWithBlankLine(text: string, from: number, to: number): boolean {
  let index = to - 2;
  while (index >= from && isBlank(text.charCodeAt(index))) index--;
  return index < from || text.charCodeAt(index) === 10;
}

function findTrimmedEnd(piece: string): number {
  let end = piece.length;
  while (end > 0 && (piece.charCodeAt(end - 1) === 10 || isBlank(piece.charCodeAt(end - 1)))) end--;
  return end;
}
