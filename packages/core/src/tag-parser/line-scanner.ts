import { isBlank } from './characters.ts';
import { readCodedLine } from './coded-line.ts';
import { lookAt, lookOf, type FirstLook } from './first-look.ts';
import { MarkTable } from './mark-table.ts';
import type { TagNames } from './tag-names.ts';
import { ESCAPE } from './terminal-codes.ts';
import { trimBlanks } from './trim-blanks.ts';

/** The characters that begin every line that is more than prose. */
const BEGINS_STRUCTURE = Uint8Array.from({ length: 128 }, (_, code) =>
  Number('<`~{@\\'.includes(String.fromCharCode(code))),
);

/** Goes through a text line by line, once, and marks every line that is more than prose. */
export class LineScanner {
  readonly marks = new MarkTable();
  readonly #names: TagNames;
  #line = 0;
  /** Offset in the whole text of the segment being scanned. */
  #base = 0;
  #blankLines = 0;
  #blankStart = 0;

  constructor(names: TagNames) {
    this.#names = names;
  }

  /** Scans whole lines; a text may be handed over in several segments, each but the last ending with `\n`. */
  scan(segment: string): void {
    let escape = indexOrEnd(segment, ESCAPE, 0);
    let at = 0;
    while (at < segment.length) {
      const end = indexOrEnd(segment, '\n', at);
      this.#line++;
      if (escape < end) {
        this.#scanCodedLine(segment, at, end);
        escape = indexOrEnd(segment, ESCAPE, end);
      } else {
        this.#scanLine(segment, at, end);
      }
      at = end + 1;
    }
    this.#base += segment.length;
  }

  /** Marks what only the end of the text brings to light. */
  finish(): void {
    this.#endBlankLines(this.#base);
  }

  #scanLine(segment: string, at: number, end: number): void {
    let first = at;
    let code = segment.charCodeAt(first);
    while (first < end && isBlank(code)) code = segment.charCodeAt(++first);
    if (first >= end) {
      if (this.#blankLines++ === 0) this.#blankStart = this.#base + at;
      return;
    }
    if (this.#blankLines > 0) this.#endBlankLines(this.#base + at);
    if (BEGINS_STRUCTURE[code] !== 1) return;
    const look = lookAt(trimBlanks(segment, first, end), this.#names);
    if (look) this.#mark(look, at, end);
  }

  #scanCodedLine(segment: string, at: number, end: number): void {
    this.#endBlankLines(this.#base + at);
    const { what, visible } = readCodedLine(segment.slice(at, end), this.#names);
    this.marks.visible.set(this.marks.size, visible);
    this.#mark(lookOf(what) ?? { role: 'shown', verb: '' }, at, end);
  }

  #mark({ role, verb, label }: FirstLook, at: number, end: number): void {
    if (label !== undefined) this.marks.labels.set(this.marks.size, label);
    this.marks.add(role, { line: this.#line, start: this.#base + at, end: this.#base + end }, verb);
  }

  #endBlankLines(end: number): void {
    if (this.#blankLines > 1) {
      this.marks.add('blank', { line: this.#line, start: this.#blankStart, end: end - 1 });
    }
    this.#blankLines = 0;
  }
}

function indexOrEnd(segment: string, part: string, at: number): number {
  const index = segment.indexOf(part, at);
  return index === -1 ? segment.length : index;
}
