import { BaeError, ParameterError, ResourceError } from '../errors/bae-error.ts';
import type { FindLines, ResultStore } from '../protocol/tool-result.ts';
import type { ToolOutput } from '../protocol/tool-definition.ts';
import { readKeptMedia } from './kept-media.ts';
import { countUnits, formatCount, formatRanges, getPageLength, type Lines } from '../text-size/text-size.ts';

/** Start and end of a page of a kept text; lines and characters count from 1. */
interface ResultAddress {
  /** Handle of the text: `result:12`. */
  readonly ref: string;
  /** First line; absent for the whole text. */
  readonly line?: number;
  /** Last line; absent for all lines from the first one on. */
  readonly lastLine?: number;
  /** Several ranges of lines, instead of a first and a last line. */
  readonly ranges?: readonly Lines[];
  /** Number of lines at the end, instead of a first line. */
  readonly linesAtEnd?: number;
  /** First character in the first line, in UTF-16 code units. */
  readonly character?: number;
}

/**
 * Creates a store that keeps whole texts in memory, as `result:1`, `result:2` and so on, as long as the store itself
 * exists.
 */
export function createMemoryResults(): ResultStore {
  const texts = new Map<string, string>();
  return {
    keep(text) {
      const ref = `result:${texts.size + 1}`;
      texts.set(ref, text);
      return ref;
    },
    get: (ref) => texts.get(ref),
    handles: () => [...texts.keys()],
  };
}

const RANGES = /^(result:\d+):(\d+(?:-\d+)?(?:, ?\d+(?:-\d+)?)+)$/;
const ADDRESS = /^(result:\d+)(?::(?:(\d+)(?:@(\d+)|([-:])(\d*))?|-(\d+)))?$/;

const LONGEST_QUOTE = 60;

const LISTED_HANDLES = 5;

/** Returns true for the argument of a call that reads a kept text, valid or not. */
export function isResultAddress(argument: string): boolean {
  return /^\s*result:/.test(argument);
}

/** Number of pages up to which a text is shown whole, and that lines may fill which are named, as in files. */
const PAGES_OF_WHOLE = 3;
const PAGES_OF_RANGE = 4;
/** Maximum length of several pages, in units: the router cuts answers of more than 20,000 in the middle. */
const LONGEST_RANGE = 19_500;

/**
 * Reads a kept text in full if that is a few pages; otherwise a page of it, or the lines that the address names, with a
 * last line such as `[lines 1-87 of 513; next: <R:result:12:88-430>]`. The bodies of all pages, joined by line breaks
 * (within one long line: without), are the text.
 *
 * @param answerLimit the limit in tokens, which determines the length of a page. Default: 500
 * @throws ResourceError for a handle, line or character that does not exist; ParameterError for an invalid address
 */
export function readResult(store: ResultStore, argument: string, answerLimit?: number): ToolOutput {
  const parsed = parseResultAddress(argument);
  const text = getKeptText(store, parsed.ref);
  const media = readKeptMedia(parsed.ref, text);
  if (media !== undefined) {
    const { data: _, ...described } = media;
    return { text: '', attachments: [described] };
  }
  const output = { text, format: 'plain', paged: true } as const;
  const pageLength = getPageLength(answerLimit);
  if (parsed.ranges !== undefined) return readRanges(text, { ...parsed, ranges: parsed.ranges }, pageLength);
  const isWhole = parsed.line === undefined && parsed.linesAtEnd === undefined;
  if (isWhole && text.length <= pageLength * PAGES_OF_WHOLE && countUnits(text) <= LONGEST_RANGE) return output;
  const paged = new PagedText(text, pageLength);
  const range = new PagedText(text, pageLength * PAGES_OF_RANGE);
  const { linesAtEnd: atEnd } = parsed;
  const address = atEnd === undefined ? parsed : { ...parsed, line: Math.max(1, paged.lineCount - atEnd + 1) };
  const lines = address.lastLine !== undefined || atEnd !== undefined ? readPage(range, address) : undefined;
  const page = lines !== undefined && countUnits(lines.body) <= LONGEST_RANGE ? lines : readPage(paged, address);
  if (page.body === text) return output;
  const place = describePlace(page, paged);
  const next = findNext(page, range);
  const footer = next === undefined ? `[${place}]` : `[${place}; next: <R:${address.ref}:${next}>]`;
  return { ...output, text: `${page.body}\n${footer}`, whole: () => sliceAddressed(text, address), hint: place };
}

/** Reads several ranges of lines, as many lines as fit on the pages that lines may fill. */
function readRanges(
  text: string,
  { ref, ranges }: ResultAddress & { readonly ranges: readonly Lines[] },
  pageLength: number,
): ToolOutput {
  const lines = text.split('\n');
  const beyond = ranges.find(({ first }) => first > lines.length);
  if (beyond !== undefined) throw missingLine(ref, lines.length, beyond.first);
  const shown: string[] = [];
  let room = Math.min(pageLength * PAGES_OF_RANGE, LONGEST_RANGE);
  let rest: readonly Lines[] = [];
  for (const [index, { first, last }] of ranges.entries()) {
    const end = lines.slice(first - 1, last).findIndex((line) => {
      room -= countUnits(line) + 1;
      if (room < 0 && shown.length > 0) return true;
      shown.push(line);
      return false;
    });
    if (end === -1) continue;
    rest = [{ first: first + end, last }, ...ranges.slice(index + 1)];
    break;
  }
  const next = rest.length === 0 ? '' : `; next: <R:${ref}:${formatRanges(rest)}>`;
  const hint = `${shown.length} of ${formatCount(lines.length, 'line')}`;
  const whole = () => ranges.flatMap(({ first, last }) => lines.slice(first - 1, last)).join('\n');
  return { text: `${shown.join('\n')}\n[${hint}${next}]`, format: 'plain', paged: true, whole, hint };
}

/** @throws ResourceError if there is no such text */
function getKeptText(store: ResultStore, ref: string): string {
  const text = store.get(ref);
  if (text !== undefined) return text;
  const latest = (store.handles?.() ?? []).slice(-LISTED_HANDLES).toReversed();
  if (latest.length > 0) {
    throw new ResourceError(`no kept result '${ref}'. The latest are ${latest.join(', ')}.`, [`<R:${latest[0]}>`]);
  }
  const fact = `no kept result '${ref}'. A result is kept when it was pruned, and its last line names the handle.`;
  throw new ResourceError(fact, ['call the tool again']);
}

/**
 * Parses `result:12`, `result:12:88-174`, `result:12:88-`, `result:12:88`, `result:12:3-9,20` (several ranges),
 * `result:12:-50` (the last lines) or `result:12:1@4001` (from that character on).
 *
 * @throws ParameterError for anything else
 */
export function parseResultAddress(argument: string): ResultAddress {
  const [, list, written] = RANGES.exec(argument.trim()) ?? [];
  if (list !== undefined) return { ref: list, ranges: parseRanges(written!, list, argument) };
  const [, ref, first, character, dash, last, atEnd] = ADDRESS.exec(argument.trim()) ?? [];
  if (ref === undefined) {
    const fact = `'${argument.trim().slice(0, LONGEST_QUOTE)}' is not the address of a kept result.`;
    const remedy =
      'Write result:NUMBER, result:NUMBER:FIRST-LAST for some of its lines, or result:NUMBER:-50 for the last.';
    throw new ParameterError(`${fact} ${remedy}`, ['<R:result:1>', '<R:result:1:1-20>']);
  }
  if (atEnd !== undefined) {
    if (Number(atEnd) < 1) throw invalidRange(ref, 'the number of last lines must be at least 1', argument);
    return { ref, linesAtEnd: Number(atEnd) };
  }
  if (first === undefined) return { ref };
  const line = Number(first);
  if (character !== undefined) {
    if (line < 1 || Number(character) < 1) throw invalidRange(ref, 'lines and characters count from 1', argument);
    return { ref, line, character: Number(character) };
  }
  const lastLine = dash === undefined ? line : last === '' ? Infinity : Number(last);
  if (line < 1 || lastLine < line) throw invalidRange(ref, 'line range must be 1 ≤ first ≤ last', argument);
  return { ref, line, lastLine };
}

function parseRanges(written: string, ref: string, argument: string): readonly Lines[] {
  return written.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    if (first < 1 || last < first) throw invalidRange(ref, 'line range must be 1 ≤ first ≤ last', argument);
    return { first, last };
  });
}

function invalidRange(ref: string, rule: string, argument: string): ParameterError {
  const got = argument.trim().slice(ref.length + 1);
  return new ParameterError(`${rule} (got ${got}).`, [`<R:${ref}>`]);
}

/** Returns all lines that an address names, for code. */
function sliceAddressed(text: string, { line = 1, lastLine, character = 1 }: ResultAddress): string {
  const lines = text.split('\n').slice(line - 1, lastLine);
  return lines.join('\n').slice(character - 1);
}

function readPage(text: PagedText, { ref, line = 1, lastLine = text.lineCount, character }: ResultAddress): Page {
  if (line > text.lineCount) throw missingLine(ref, text.lineCount, line);
  if (character === undefined) return text.readLines(line, lastLine);
  const length = text.lineLength(line);
  if (character > Math.max(length, 1)) {
    const fact = `line ${line} of ${ref} has ${formatCount(length, 'character')}; asked for character ${character}.`;
    throw new ResourceError(fact, [`<R:${ref}:${line}@1>`]);
  }
  return text.readCharacters(line, character);
}

function missingLine(ref: string, count: number, line: number): ResourceError {
  return new ResourceError(`${ref} has ${formatCount(count, 'line')}; asked for line ${line}.`, [`<R:${ref}>`]);
}

function describePlace(page: Page, { lineCount }: PagedText): string {
  if (page.kind === 'lines') return `lines ${page.first}-${page.last} of ${lineCount}`;
  return `line ${page.line} of ${lineCount}, characters ${page.first}-${page.last} of ${page.length}`;
}

/** Returns the part after the handle in the tag for the next page; undefined after the last page. */
function findNext(page: Page, text: PagedText): string | undefined {
  if (page.kind === 'characters' && page.last < page.length) return `${page.line}@${page.last + 1}`;
  const line = (page.kind === 'lines' ? page.last : page.line) + 1;
  if (line > text.lineCount) return undefined;
  const next = text.readLines(line, text.lineCount);
  return next.kind === 'lines' ? `${line}-${next.last}` : `${line}@1`;
}

/** Kept texts, and what searches them. */
export interface SearchedResults {
  readonly results: ResultStore;
  /** Default: understands `|` and `.*`, and ignores case if the pattern has no capital letter. */
  readonly findLines?: FindLines | undefined;
}

interface ResultSearch {
  /** The text, or some of its lines: `result:3`, `result:3:100-140`. */
  readonly address: string;
  readonly pattern: string;
  readonly signal: AbortSignal;
  /** True if code can look for patterns that searches do not support. */
  readonly inCode: boolean;
}

/**
 * Finds the lines of a kept text that match a pattern. Each begins with its address, `result:3:120`.
 *
 * @throws ResourceError if there is no such text; ParameterError for an invalid address or an empty pattern; what the
 *   search throws for a pattern that it does not support
 */
export async function searchResult(
  { results, findLines = findPlainLines }: SearchedResults,
  { address, pattern, signal, inCode }: ResultSearch,
): Promise<ToolOutput> {
  const parsed = parseResultAddress(address);
  const { ref } = parsed;
  if (pattern.trim() === '')
    throw new ParameterError('pattern: expected text to look for.', [`<Grep:error in=${ref}>`]);
  const text = getKeptText(results, ref);
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  const isAsked = makeLineTest(parsed, lines.length);
  const reading = inCode ? `read("${ref}")` : undefined;
  const found = await findLines(text, { argument: pattern, signal, reading }).catch((error: unknown) => {
    if (!BaeError.is(error)) throw error;
    throw Object.assign(error, {
      hints: error.hints.map((hint) => hint.replace(/^(<Grep:.*)>$/s, `$1 in=${address.trim()}>`)),
    });
  });
  const rows = found.lines.filter(isAsked).map((line) => `${ref}:${line}: ${lines[line - 1]}`);
  const none = `${found.none}\nsearched ${formatCount(lines.filter((_, index) => isAsked(index + 1)).length, 'line')} of ${ref}`;
  return { text: rows.join('\n') || none, format: 'plain', rows: rows.length };
}

/** Returns a test for the numbers of the lines that an address names. */
function makeLineTest(
  { line = 1, lastLine = Infinity, ranges, linesAtEnd }: ResultAddress,
  count: number,
): (line: number) => boolean {
  const first = linesAtEnd === undefined ? line : count - linesAtEnd + 1;
  const asked = ranges ?? [{ first, last: lastLine }];
  return (number) => asked.some((range) => number >= range.first && number <= range.last);
}

const findPlainLines: FindLines = async (text, { argument }) => {
  const matches = compileSearch(argument);
  const lines = text.split('\n').flatMap((line, index) => (matches(line) ? [index + 1] : []));
  const none = `(no matches for the whole text "${argument}"; | separates alternatives, .* stands for any text)`;
  return { lines, none };
};

/** Takes time in proportion to the length of the line, whatever the pattern: a regular expression might not. */
function compileSearch(pattern: string): (line: string) => boolean {
  const fold = (text: string) => (/\p{Lu}/u.test(pattern) ? text : text.toLowerCase());
  const alternatives = fold(pattern)
    .split(/(?<!\\)\|/)
    .map((alternative) =>
      alternative.split('.*').map((part) => part.replace(/\\(\W|b)/g, (_, sign) => (sign === 'b' ? '' : sign))),
    )
    .filter((parts) => parts.some((part) => part !== ''));
  return (line) => alternatives.some((parts) => containsInOrder(fold(line), parts));
}

function containsInOrder(line: string, parts: readonly string[]): boolean {
  let at = 0;
  return parts.every((part) => {
    const found = line.indexOf(part, at);
    at = found + part.length;
    return found !== -1;
  });
}

/** Page of a text: whole lines, or a part of one line that is longer than a page. */
type Page =
  | { readonly kind: 'lines'; readonly body: string; readonly first: number; readonly last: number }
  | {
      readonly kind: 'characters';
      readonly body: string;
      readonly line: number;
      readonly first: number;
      readonly last: number;
      /** Length of the whole line, in characters. */
      readonly length: number;
    };

/**
 * Text that can be read in pages of a limited number of characters (UTF-16 code units). Line feeds are not part of
 * lines, except the one that ends the text; so the bodies of pages, joined by line feeds, are the text.
 */
export class PagedText {
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #pageLength: number;

  /** @param length the maximum length of a page, in characters */
  constructor(text: string, length: number = getPageLength()) {
    this.#text = text;
    this.#pageLength = length;
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  /** Number of lines; at least 1. */
  get lineCount(): number {
    return this.#starts.length;
  }

  lineLength(line: number): number {
    return this.#end(line) - this.#start(line);
  }

  /** Reads as many whole lines as fit a page, from `first` to at most `last`; a part of `first` if it is too long. */
  readLines(first: number, last: number): Page {
    const start = this.#start(first);
    let end = first;
    if (this.lineLength(first) > this.#pageLength) return this.readCharacters(first, 1);
    const final = Math.min(last, this.lineCount);
    while (end < final && this.#end(end + 1) - start <= this.#pageLength) end++;
    // The next page would be almost empty.
    if (this.#end(final) - this.#end(end) <= this.#pageLength / 10) end = final;
    return { kind: 'lines', body: this.#text.slice(start, this.#end(end)), first, last: end };
  }

  /** Reads as much of a line as fits a page, starting at a character; no code point is split. */
  readCharacters(line: number, character: number): Page {
    const start = this.#start(line);
    const from = this.#wholePoint(start + character - 1);
    const to = this.#wholePoint(Math.min(from + this.#pageLength, this.#end(line)));
    const body = this.#text.slice(from, to);
    return { kind: 'characters', body, line, first: from - start + 1, last: to - start, length: this.lineLength(line) };
  }

  #start(line: number): number {
    return this.#starts[line - 1]!;
  }

  #end(line: number): number {
    return line === this.lineCount ? this.#text.length : this.#starts[line]! - 1;
  }

  /** Returns the position itself, or the one before it if it is inside a surrogate pair. */
  #wholePoint(at: number): number {
    const inside = at > 0 && at < this.#text.length && this.#text.codePointAt(at - 1)! > 0xffff;
    return inside ? at - 1 : at;
  }
}
