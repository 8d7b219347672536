import { findLineEnd, isBlank, trimBlanks } from './characters.ts';
import { isProse, readThoughtEnd } from './line.ts';
import type { TagNames } from './names.ts';
import type { CandidateLine, LinePlace } from './scan.ts';
import { readEnding } from './tag.ts';
import { stripTerminalCodes } from './terminal-codes.ts';

/** Several blank lines in a row, with the line breaks around them. */
const BLANK_LINES = /\n[ \t\r\uFEFF]*\n[ \t\r\n\uFEFF]*\n/g;

interface Tail {
  readonly text: string;
  readonly closing: string;
}

/** Moves over the candidate lines of a text, and collects what is left as prose. */
export class LineCursor {
  readonly #text: string;
  readonly #lines: readonly CandidateLine[];
  readonly #names: TagNames;
  #prose = '';
  /** Offset behind the text that is in the prose or removed. */
  #from = 0;
  #next = 0;

  constructor(text: string, lines: readonly CandidateLine[], names: TagNames) {
    this.#text = text;
    this.#lines = lines;
    this.#names = names;
  }

  /** The next candidate; undefined at the end of the text. */
  next(): CandidateLine | undefined {
    return this.#lines[this.#next++];
  }

  /** Keeps a line as prose, shown as another text if there is one. */
  keep({ visible, start, end }: CandidateLine, text = visible): void {
    if (text !== undefined) this.#replace(start, end + 1, text);
  }

  /** Keeps all lines up to an offset as prose, whatever they hold. */
  keepThrough(line: CandidateLine, end: number): void {
    this.keep(line);
    for (let next = this.#peek(end); next; next = this.#peek(end)) {
      this.keep(next);
      this.#next++;
    }
  }

  /** Forgets the prose up to the end of a line, except what follows a closing tag on it. */
  restart(line: LinePlace, end: number, closing: string): void {
    this.#prose = '';
    this.#from = 0;
    this.removeThrough({ ...line, start: 0 }, end, closing);
  }

  /** Removes a line, and with it everything up to the last line of its body. */
  remove(line: LinePlace, last = line): void {
    this.#cut(line.start, last.end + 1);
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
    if (tail === '') this.#cut(start, next);
    else this.#replace(start, next, isProse(tail, this.#names) ? tail : `${closing} ${tail}`);
    while (this.#peek(next)) this.#next++;
  }

  removeRest({ start }: LinePlace): void {
    this.#cut(start, this.#text.length);
    this.#next = Infinity;
  }

  finish(): string {
    return squeezeBlankLines(this.#prose + this.#text.slice(this.#from));
  }

  /** The next candidate, if it begins before an offset. */
  #peek(end: number): CandidateLine | undefined {
    const next = this.#lines[this.#next];
    return next && next.start < end ? next : undefined;
  }

  #cut(start: number, end: number): void {
    this.#prose += this.#text.slice(this.#from, start);
    this.#from = end;
  }

  /** Replaces whole lines by one whose closing tags cannot be those of a tag or a thought before it. */
  #replace(start: number, end: number, line: string): void {
    let text = line;
    for (let at = this.#findClosing(text); at !== -1; at = this.#findClosing(text)) {
      text = `${text.slice(0, at)}< /${text.slice(at + 2)}`;
    }
    this.#cut(start, end);
    this.#prose += `${text}\n`;
  }

  #findClosing(line: string): number {
    const trimmed = trimBlanks(line);
    if (readEnding(trimmed, this.#names)) return line.lastIndexOf('</');
    const end = readThoughtEnd(trimmed);
    return end ? line.indexOf(end.closing) : -1;
  }
}

/** Replaces several blank lines in a row by an empty one, and removes those at both ends. */
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
