import { findLineEnd, skipBlanks, trimBlanks } from './characters.ts';
import { readCodedLine, readLine, type Line } from './line.ts';
import type { TagNames } from './names.ts';
import { canHaveBody } from './tag.ts';
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

/** A line that is more than prose on its own, or prose that is not shown as it stands. */
export interface CandidateLine extends LinePlace {
  /** What the line is on its own; undefined for prose. */
  readonly content: Line | undefined;
  /** How the line is shown where it is prose; undefined for as it stands. */
  readonly visible: string | undefined;
}

/** The characters that begin every line that is more than prose. */
const STRUCTURE_CHARACTERS = '<`~{@\\[AO';

/** Reads a text line by line, once, and returns the candidates; several blank lines in a row are one of them. */
export function scanLines(text: string, names: TagNames): CandidateLines {
  const candidates = new CandidateLines(text, names);
  let number = 0;
  let blankLines = 0;
  let blankStart = 0;
  let escape = findEscape(text, 0);
  // A closing tag may stand behind the text of its line.
  let closing = findClosing(text, 0);

  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = findLineEnd(text, start);
    number++;
    const first = skipBlanks(text, start, end);
    if (first === end) {
      if (blankLines++ === 0) blankStart = start;
      continue;
    }
    if (blankLines > 1) candidates.add(makeBlank(number, blankStart, start));
    blankLines = 0;
    if (escape < end) {
      const { content, visible } = readCodedLine(text.slice(start, end), names);
      candidates.add({ number, start, end, content, visible });
      escape = findEscape(text, end);
    } else if (STRUCTURE_CHARACTERS.includes(text.charAt(first)) || closing < end) {
      const content = readLine(trimBlanks(text, first, end), names);
      if (content) candidates.add({ number, start, end, content, visible: undefined });
    }
    if (closing < end) closing = findClosing(text, end);
  }
  if (blankLines > 1) candidates.add(makeBlank(number, blankStart, text.length));
  candidates.matchClosers();
  return candidates;
}

/** Several blank lines in a row, of which one is shown. */
function makeBlank(number: number, start: number, next: number): Omit<CandidateLine, 'index'> {
  return { number, start, end: next - 1, content: undefined, visible: '' };
}

function findClosing(text: string, from: number): number {
  const index = text.indexOf('</', from);
  return index === -1 ? text.length : index;
}

function findEscape(text: string, from: number): number {
  const index = text.indexOf(ESCAPE, from);
  return index === -1 ? text.length : index;
}

/**
 * What a candidate does to bodies: opens one, opens one without taking its closing tag from another tag
 * (`broken`), closes one, has one on its line (`inline`), may close one behind its last text (`ending`), or none.
 */
const ROLES = ['prose', 'other', 'open', 'broken', 'close', 'inline', 'ending'] as const;
type Role = (typeof ROLES)[number];

/** Numbers of a candidate in the table: its place, its role, and the number of its verb. */
const [START, END, NUMBER, ROLE, VERB, COLUMNS] = [0, 1, 2, 3, 4, 5];

/**
 * The candidates of a text, in their order.
 *
 * A text may have a million of them, so only numbers are kept, and a line is read again when it is needed.
 */
export class CandidateLines {
  readonly #text: string;
  readonly #names: TagNames;
  readonly #labels = new Map<number, string>();
  readonly #visible = new Map<number, string>();
  readonly #closers = new Map<number, number>();
  readonly #endings = new Map<number, number>();
  readonly #verbs: string[] = [];
  readonly #verbNumbers = new Map<string, number>();
  #table = new Int32Array(64 * COLUMNS);
  #size = 0;

  constructor(text: string, names: TagNames) {
    this.#text = text;
    this.#names = names;
  }

  get size(): number {
    return this.#size;
  }

  add({ number, start, end, content, visible }: Omit<CandidateLine, 'index'>): void {
    const row = this.#size * COLUMNS;
    if (row === this.#table.length) {
      const longer = new Int32Array(row * 2);
      longer.set(this.#table);
      this.#table = longer;
    }
    this.#table[row + START] = start;
    this.#table[row + END] = end;
    this.#table[row + NUMBER] = number;
    this.#table[row + ROLE] = ROLES.indexOf(roleOf(content));
    this.#table[row + VERB] = this.#numberOf(verbOf(content));
    const isLabelled = (content?.kind === 'close' || content?.kind === 'ending') && content.label !== undefined;
    if (isLabelled) this.#labels.set(this.#size, content.label);
    if (visible !== undefined) this.#visible.set(this.#size, visible);
    this.#size++;
  }

  at(index: number): CandidateLine | undefined {
    if (index >= this.#size) return undefined;
    const { number, start, end } = this.#placeOf(index);
    return { index, number, start, end, content: this.#read(index), visible: this.#visible.get(index) };
  }

  /** The line whose last text ends the body that a line opens, where no line of its own closes it. */
  endingOf({ index }: LinePlace): LinePlace | undefined {
    const ending = this.#endings.get(index);
    return ending === undefined ? undefined : this.#placeOf(ending);
  }

  startOf(index: number): number {
    return this.#get(index, START);
  }

  /** The line that closes the body which a line opens. */
  closerOf({ index }: LinePlace): LinePlace | undefined {
    const closer = this.#closers.get(index);
    return closer === undefined ? undefined : this.#placeOf(closer);
  }

  /**
   * Finds, for every line that opens a body, the line that closes it.
   *
   * Goes backwards through the lines once. A closing tag with a label closes the tag with that argument and no
   * other; one without closes the nearest tag of its verb that is still open, so tags nest. A tag that nothing
   * closes leaves all tags of its verb before it open as well, unless they have labelled closing tags.
   */
  matchClosers(): void {
    /** By verb: the closing tag that a tag just before the current line would get. */
    const nearest = new Map<string, number | undefined>();
    /** By closing tag: the value of `nearest` right behind it. */
    const behind = new Map<number, number | undefined>();
    /** By verb and label: the first closing tag behind the current line. */
    const labelled = new Map<string, Map<string, number>>();
    /** By verb: the nearest text that ends with its closing tag, with no other tag of the verb before it. */
    const endings = new Map<string, number>();
    for (let index = this.#size - 1; index >= 0; index--) {
      const role = this.#roleOf(index);
      const verb = this.#verbs[this.#get(index, VERB)]!;
      if (role === 'close') {
        behind.set(index, nearest.get(verb));
        const label = this.#labels.get(index);
        if (label === undefined) nearest.set(verb, index);
        else labelled.set(verb, (labelled.get(verb) ?? new Map<string, number>()).set(label, index));
      } else if (role === 'open' || role === 'broken') {
        const closer = labelled.get(verb)?.get(this.#argumentOf(index)) ?? nearest.get(verb);
        const ending = endings.get(verb);
        if (closer !== undefined) this.#closers.set(index, closer);
        else if (ending !== undefined && this.#isLabelOf(ending, index)) this.#endings.set(index, ending);
        endings.delete(verb);
        // The closing tag that a broken tag might take may belong to another one.
        if (role === 'open') nearest.set(verb, closer === undefined ? undefined : behind.get(closer));
      } else if (role === 'ending') endings.set(verb, index);
      else if (role === 'inline') endings.delete(verb);
    }
  }

  #placeOf(index: number): LinePlace {
    return { index, number: this.#get(index, NUMBER), start: this.#get(index, START), end: this.#get(index, END) };
  }

  #isLabelOf(closer: number, opener: number): boolean {
    const label = this.#labels.get(closer);
    return label === undefined || label === this.#argumentOf(opener);
  }

  #argumentOf(index: number): string {
    const content = this.#read(index);
    return content && 'tag' in content ? content.tag.arg : '';
  }

  #read(index: number): Line | undefined {
    if (this.#roleOf(index) === 'prose') return undefined;
    const [start, end] = [this.#get(index, START), this.#get(index, END)];
    if (this.#visible.has(index)) return readCodedLine(this.#text.slice(start, end), this.#names).content;
    return readLine(trimBlanks(this.#text, start, end), this.#names);
  }

  #roleOf(index: number): Role {
    return ROLES[this.#get(index, ROLE)]!;
  }

  #get(index: number, column: number): number {
    return this.#table[index * COLUMNS + column]!;
  }

  #numberOf(verb: string): number {
    const known = this.#verbNumbers.get(verb);
    if (known !== undefined) return known;
    this.#verbNumbers.set(verb, this.#verbs.length);
    return this.#verbs.push(verb) - 1;
  }
}

function roleOf(content: Line | undefined): Role {
  switch (content?.kind) {
    case undefined:
      return 'prose';
    case 'open':
    case 'close':
      return content.kind;
    case 'ending':
      return content.kind;
    case 'tags':
      return content.tags.some(({ verb }) => canHaveBody(verb)) ? 'inline' : 'other';
    case 'loose':
      return 'broken';
    case 'broken':
      return content.isClosed ? 'other' : 'broken';
    case 'near-miss':
      return content.isClosed ? 'other' : 'open';
    default:
      return 'other';
  }
}

function verbOf(content: Line | undefined): string {
  if (content?.kind === 'close' || content?.kind === 'ending') return content.verb;
  if (content?.kind === 'tags') return content.tags.find(({ verb }) => canHaveBody(verb))?.verb ?? '';
  return content && 'tag' in content ? content.tag.verb : '';
}
