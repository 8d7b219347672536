import type { ToolCall } from '../protocol/tool-call.ts';
import { findNameEnd, markCodes } from './characters.ts';
import type { TagNames } from './names.ts';
import type { CallShape } from './problems.ts';

const NAME = String.raw`([A-Za-z_][\w-]*(?:\.[\w-]+)*)`;
/** `billing`, `@billing`, `@billing()`. */
const PLACE = String.raw`@?${NAME}(?:\(\))?`;
const WORD = '(?:go|cd|enter|goto)';
const EMPHASIS = '[*_`]{0,3}';

/** `<go:billing>`, `<go billing>`, `<enter name="billing"/>`, `<enter>billing</enter>`. */
const ELEMENT = new RegExp(
  String.raw`^<${WORD}(?::|\s+(?:\w+\s*=\s*)?["']?|>\s*(?:<\w+>\s*)?)${PLACE}["']?\s*(?:\/?>|(?:<\/\w+>\s*){1,2})$`,
);
/** `<@billing>`, `<@billing:>`. */
const TAGGED = new RegExp(String.raw`^<@${NAME}(?:\(\))?\s*:?\s*\/?>$`);

/** Characters and words without which a line enters nothing. */
const MAY_ENTER =
  /^(?:\d+)?\W*@[\w.-]+\W*$|:\s+\W{0,3}@[\w.-]+\(\)\W{0,3}$|^(?:await )?[\w.-]+\(.*\);?$|^[$/]?\s*(?:go|cd|enter|goto) /;
const TAG_MAY_ENTER = /^<(?:[^:/]+\/?|\/(?:go|cd|enter|goto))>$/;
const [SPACE, CLOSING, COLON, LESS] = [32, 41, 58, 60];
/** First characters of lines that may enter a place without parentheses at their end: `<tasks>`, `$ cd tasks`. */
const FIRST_OF_ENTRY = markCodes('<@$/');
/** First letters of `cd`, `goto` and `enter`, and their second ones. */
const FIRST_LETTERS = markCodes('cge');
const SECOND_LETTERS = markCodes('don');
/** Characters that may follow the parentheses of an entry: `**@tasks()**:`. */
const BEHIND_ENTRY = markCodes('])"\'*_`.:;,');
const MOST_BEHIND = 5;

/** Notations in which a place is entered on the line directly above a call, whether it exists or not. */
const ABOVE = [
  String.raw`^@${NAME}[:/]?$`,
  String.raw`^(?!@)(?:(?:[-*+•]|\d+[.)])\s+|>\s*)*[[("'*_${'`'}]{0,3}@${NAME}\(\)[\])"'*_${'`'}]{0,3}[.:;,]?$`,
  String.raw`:\s+${EMPHASIS}@${NAME}\(\)${EMPHASIS}$`,
  String.raw`^(?:await )?${WORD}\(["'${'`'}]${PLACE}["'${'`'}]\);?$`,
].map((pattern) => new RegExp(pattern));
/** The same for a place that exists: `cd tasks` and `tasks()` may also be prose, `<tasks>` markup. */
const KNOWN_ABOVE = [
  String.raw`^[$/]?\s*${WORD} ${PLACE}$`,
  String.raw`^${NAME}\(\);?$`,
  String.raw`^<${NAME}(?:\(\))?\s*\/?>$`,
].map((pattern) => new RegExp(pattern));
const ELEMENT_OF_LINES = new RegExp(String.raw`<(${WORD})>\s*${PLACE}\s*<\/\1>$`);
const LONGEST_ENTRY = 200;

/** Another decorator, the keyword that begins a declaration, or a member with its parameters, type or value. */
const DECORATED =
  /^\s*(?:@|(?:abstract|async|class|def|export|function|private|protected|public|readonly|static)\b|(?:[\w$<>[\]]+\s+)?[#\w$]+[?!]?\s*[(:=;])/;

/** Returns true for a line that a decorator above it may belong to. */
export function isDecorated(line: string): boolean {
  return DECORATED.test(line);
}

/** Returns the place of an element that enters it, such as `<enter>billing</enter>`, or `<@tasks>` if it exists. */
export function readEntryElement(line: string, names: TagNames): string | undefined {
  if (line.length > LONGEST_ENTRY) return undefined;
  const place = ELEMENT.exec(line)?.[1];
  if (place !== undefined) return place;
  const tagged = TAGGED.exec(line)?.[1];
  return tagged !== undefined && names.isPlace(tagged) ? tagged : undefined;
}

/** Returns the place of `@tasks`, which lacks its parentheses, if there is such a place. */
export function readBareMention(line: string, names: TagNames): string | undefined {
  const place = line.slice(1);
  return place.length < LONGEST_ENTRY && names.isPlace(place) ? place : undefined;
}

/**
 * Reads the line directly above a call as the entry of a place, in a notation that on its own is none: `@billing`, `-
 * @tasks()`, `go("tasks")`. What follows was written for that place, and must not run elsewhere.
 */
export function readEntryAbove(
  text: string,
  call: { readonly above: number; readonly start: number; readonly number: number },
  names: TagNames,
): ToolCall | undefined {
  const { above: start, number: line } = call;
  // A tag with a target, such as another call, is no entry, nor is `<git.diff>`, which is a call without its colon.
  if (text.charCodeAt(start) === LESS) {
    const nameEnd = findNameEnd(text, start + 1);
    if (text.charCodeAt(nameEnd) === COLON || isToolOfPlace(text.slice(start + 1, nameEnd), names)) return undefined;
  }
  let end = call.start - 1;
  while (text.charCodeAt(end - 1) <= SPACE) end--;
  if (end - start > LONGEST_ENTRY || !mayEnter(text, start, end)) return undefined;
  const above = text.slice(start, end);
  if (!(above.charCodeAt(0) === LESS ? TAG_MAY_ENTER : MAY_ENTER).test(above)) return undefined;
  const unknown = matchPlace(above, [TAGGED]);
  const place =
    matchPlace(above, ABOVE) ??
    findKnown(above, names) ??
    // A tag with a place that exists is a move on its own.
    (unknown !== undefined && !names.isPlace(unknown) ? unknown : undefined);
  if (place !== undefined) return { verb: 'go', arg: place, line, tag: above };
  const element = above.startsWith('</') ? text.slice(Math.max(0, end - LONGEST_ENTRY), end) : '';
  const [, word = '', inside] = ELEMENT_OF_LINES.exec(element) ?? [];
  return inside === undefined ? undefined : { verb: 'go', arg: inside, line, tag: `<${word}:${inside}>` };
}

/** Returns true for `git.diff` if there is a tool of that name. */
function isToolOfPlace(dotted: string, names: TagNames): boolean {
  const dot = dotted.lastIndexOf('.');
  return dot > 0 && names.resolve(dotted.slice(dot + 1)) !== undefined && names.resolve(dotted) !== undefined;
}

/** Rules out most lines by their first and last characters: a text may have thousands of calls with a line above. */
function mayEnter(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  if (FIRST_OF_ENTRY[first] === 1) return true;
  if (FIRST_LETTERS[first] === 1 && SECOND_LETTERS[text.charCodeAt(start + 1)] === 1) return true;
  for (let at = end - 1; at >= end - MOST_BEHIND; at--) {
    const code = text.charCodeAt(at);
    if (code === CLOSING) return true;
    if (BEHIND_ENTRY[code] !== 1) return false;
  }
  return false;
}

/** Returns the place that a line was probably meant to enter, if it exists. */
function findMeantEntry(line: string, names: TagNames): string | undefined {
  const place = line.length > LONGEST_ENTRY ? undefined : matchPlace(line, ABOVE);
  return place !== undefined && names.isPlace(place) ? place : undefined;
}

function findKnown(line: string, names: TagNames): string | undefined {
  const place = matchPlace(line, KNOWN_ABOVE);
  return place !== undefined && names.isPlace(place) ? place : undefined;
}

function matchPlace(line: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const place = pattern.exec(line)?.[1];
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Describes `@tasks`, `- @tasks()`, `**tasks()**`, `go("tasks")`. */
export function describeEntry(line: string, names: TagNames): CallShape | undefined {
  const emphasized = /^\*{1,3}([\w.]+)\(\)\*{1,3}[.:]?$/.exec(line)?.[1];
  const place = emphasized !== undefined && names.isPlace(emphasized) ? emphasized : findMeantEntry(line, names);
  return place === undefined ? undefined : { fact: 'is not how a place is entered', tag: `@${place}()` };
}
