import { readCodedLine } from './coded-line.ts';
import { readLine, type LineKind } from './line-kind.ts';
import type { MarkPlace, MarkTable } from './mark-table.ts';
import { NO_CLOSER } from './match-closers.ts';
import { ProseBuilder } from './prose-builder.ts';
import type { TagNames } from './tag-names.ts';
import { withoutTerminalCodes } from './terminal-codes.ts';
import { trimBlanks } from './trim-blanks.ts';

/** A mark and its place among the others. */
export interface Mark extends MarkPlace {
  readonly index: number;
}

/** Text behind a closing tag on its line, and that tag. */
interface Tail {
  readonly text: string;
  readonly closing: string;
}

/** Moves over the marks of a text and keeps what is left as prose. */
export class MarkCursor {
  readonly #text: string;
  readonly #marks: MarkTable;
  readonly #names: TagNames;
  readonly #prose: ProseBuilder;
  #next = 0;

  constructor(text: string, marks: MarkTable, names: TagNames) {
    this.#text = text;
    this.#marks = marks;
    this.#names = names;
    this.#prose = new ProseBuilder(text);
  }

  /** The next mark; undefined at the end of the text. */
  next(): Mark | undefined {
    return this.#next < this.#marks.size ? this.markAt(this.#next++) : undefined;
  }

  markAt(index: number): Mark {
    const { line, start, end } = this.#marks.placeOf(index);
    return { index, line, start, end };
  }

  /** What the line of a mark is. */
  read({ index, start, end }: Mark): LineKind | undefined {
    const isCoded = this.#marks.visible.has(index);
    if (isCoded) return readCodedLine(this.#text.slice(start, end), this.#names).what;
    return readLine(trimBlanks(this.#text, start, end), this.#names);
  }

  /** Keeps a mark as prose, the way a terminal shows it. */
  show({ index, start, end }: Mark): void {
    const visible = this.#marks.roleOf(index) === 'blank' ? '' : this.#marks.visible.get(index);
    if (visible !== undefined) this.#prose.replace(start, end + 1, visible);
  }

  /** Keeps a line as prose without the backslash it begins with. */
  showEscaped({ index, start, end }: Mark): void {
    const line = this.#marks.visible.get(index) ?? this.#text.slice(start, end);
    this.#prose.replace(start, end + 1, line.replace('\\<', '<'));
  }

  /** Leaves a mark out, and with it everything up to the mark that closes it. */
  remove(mark: Mark, closer = NO_CLOSER): void {
    const last = closer === NO_CLOSER ? mark : this.markAt(closer);
    this.#prose.cut(mark.start, last.end + 1);
    this.#next = last.index + 1;
  }

  /** Leaves out the lines of a mark up to the one on which a closing tag ends, but keeps what follows the tag. */
  removeThrough(mark: Mark, end: number, closing: string): void {
    const lineBreak = this.#text.indexOf('\n', end);
    const lineEnd = lineBreak === -1 ? this.#text.length : lineBreak;
    this.removeUpTo(mark, lineEnd + 1, { text: this.#text.slice(end, lineEnd), closing });
  }

  /** Leaves out everything from a mark up to the beginning of a line, but keeps the tail. */
  removeUpTo(mark: Mark, next: number, { text, closing }: Tail): void {
    const tail = trimBlanks(withoutTerminalCodes(text).visible);
    // The closing tag stays in front of a tail that alone on its line would be more than prose.
    if (tail === '') this.#prose.cut(mark.start, next);
    else this.#prose.replace(mark.start, next, readLine(tail, this.#names) ? `${closing} ${tail}` : tail);
    while (this.#next < this.#marks.size && this.#marks.startOf(this.#next) < next) this.#next++;
  }

  /** Leaves out everything from a mark on. */
  stop(mark: Mark): void {
    this.#prose.stop(mark.start);
    this.#next = this.#marks.size;
  }

  /** The prose of the whole text. */
  finish(): string {
    return this.#prose.finish();
  }
}
