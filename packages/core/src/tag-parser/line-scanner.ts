import { isBlank } from './characters.ts';
import { mayBeginStructure, readLine, type LineKind } from './line-kind.ts';
import type { Mark } from './mark.ts';
import type { TagNames } from './tag-names.ts';
import { ESCAPE, withoutTerminalCodes } from './terminal-codes.ts';

/** Goes through a text line by line, once, and marks every line that is more than prose. */
export class LineScanner {
  readonly marks: Mark[] = [];
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
        this.#scanCodes(segment, at, end);
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
    if (!mayBeginStructure(code)) return;
    const what = readLine(trimmed(segment, first, end), this.#names);
    if (what) this.#mark(what, at, end);
  }

  #scanCodes(segment: string, at: number, end: number): void {
    this.#endBlankLines(this.#base + at);
    const raw = segment.slice(at, end);
    const { detected, visible } = withoutTerminalCodes(raw);
    const what = readLine(trimmed(detected, 0, detected.length), this.#names);
    // What is shown must mean as little as what was looked at, or the prose would hold calls.
    const isHarmless = visible === detected || !readLine(trimmed(visible, 0, visible.length), this.#names);
    const shown = isHarmless ? visible : detected;
    this.#mark(what ? withRawBody(what, raw) : { kind: 'shown' }, at, end, shown);
  }

  #mark(what: Mark['what'], at: number, end: number, visible?: string): void {
    const mark = { line: this.#line, start: this.#base + at, end: this.#base + end, what };
    this.marks.push(visible === undefined ? mark : { ...mark, visible });
  }

  #endBlankLines(end: number): void {
    if (this.#blankLines > 1) {
      this.marks.push({ line: this.#line, start: this.#blankStart, end: end - 1, what: { kind: 'blank' } });
    }
    this.#blankLines = 0;
  }
}

function indexOrEnd(segment: string, part: string, at: number): number {
  const index = segment.indexOf(part, at);
  return index === -1 ? segment.length : index;
}

function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The body of a tag on one line, with the codes that were in it. */
function withRawBody(what: LineKind, raw: string): LineKind {
  if (what.kind !== 'inline') return what;
  const open = raw.indexOf(`<${what.tag.written}:`);
  const start = raw.indexOf('>', open) + 1;
  const end = raw.lastIndexOf('</');
  return open !== -1 && start > 0 && end >= start ? { ...what, body: raw.slice(start, end) } : what;
}
