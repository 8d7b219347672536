import { PAGE_CHARACTERS_PER_TOKEN, TOKEN_CAP, CAP_TOLERANCE, UNITS_PER_TOKEN } from '../protocol/limits.ts';
/**
 * Counts the size of a text in units, of which about four make up a token. A code point below U+0080 counts 1, below
 * U+0800 2, any other 4; a line break counts 1.
 */
export function countUnits(text: string): number {
  let total = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Most characters are ASCII, which costs one comparison.
    if (code < 0x80) continue;
    if (isSurrogatePair(text, index)) {
      total += 2;
      index++;
    } else total += unitsOf(code) - 1;
  }
  return total;
}

/** Returns true if a text has at most `max` units; counts only if its length does not decide. */
export function isWithinUnits(text: string, max: number): boolean {
  if (text.length > max) return false;
  return text.length * 4 <= max || countUnits(text) <= max;
}

/**
 * Returns the length of one page of a paged result, in characters (UTF-16 code units).
 *
 * @param answerLimit the limit in tokens, as in `ToolContext`. Default: 500
 */
export function getPageLength(answerLimit: number = TOKEN_CAP): number {
  return answerLimit * PAGE_CHARACTERS_PER_TOKEN;
}

export function countCodePoints(text: string): number {
  let total = text.length;
  for (let index = 0; index < text.length - 1; index++) if (isSurrogatePair(text, index)) total--;
  return total;
}

/** Returns the longest start of a text that has at most `max` units; never splits a code point. */
export function takeFirstUnits(text: string, max: number): string {
  let total = 0;
  let index = 0;
  while (index < text.length) {
    total += unitsOf(text.charCodeAt(index));
    if (total > max) break;
    index += isSurrogatePair(text, index) ? 2 : 1;
  }
  return text.slice(0, index);
}

/** Returns the longest end of a text that has at most `max` units; never splits a code point. */
export function takeLastUnits(text: string, max: number): string {
  let total = 0;
  let index = text.length;
  while (index > 0) {
    const width = index > 1 && isSurrogatePair(text, index - 2) ? 2 : 1;
    total += unitsOf(text.charCodeAt(index - width));
    if (total > max) break;
    index -= width;
  }
  return text.slice(index);
}

/** Returns the units of the code point that begins with a code unit; half of a surrogate pair counts like the pair. */
function unitsOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 4;
}

/** Returns true if the code units at `index` and after it form one code point. */
function isSurrogatePair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** Patterns by which a text is weighed. */
interface Patterns {
  /** Runs of letters (with the sign before them), digits, punctuation and blanks, as tokenizers split a text. */
  readonly run: RegExp;
  readonly parts: RegExp;
}

const ASCII: Patterns = {
  run: /[^\r\nA-Za-z0-9]?(?:[A-Z]*[a-z]+|[A-Z]+)|[0-9]{1,3}| ?[^\sA-Za-z0-9]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/g,
  parts: /^(?<sign>[^\r\nA-Za-z0-9]?)(?:(?<word>[A-Za-z]+)|(?<digits>[0-9]+))$|^(?<blanks>\s+)$/,
};

/** The same for every text. They take two milliseconds to compile, which most processes and every import do without. */
let unicode: Patterns | undefined;

function compileUnicode(): Patterns {
  const letters = String.raw`\p{Lu}*[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}]+|\p{Lu}+`;
  const signs = String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`;
  const blanks = String.raw`\s*[\r\n]+|\s+(?!\S)|\s+`;
  return {
    run: new RegExp(String.raw`[^\r\n\p{L}\p{N}]?(?:${letters})|\p{N}{1,3}|${signs}|${blanks}`, 'gu'),
    parts: new RegExp(
      String.raw`^(?<sign>[^\r\n\p{L}\p{N}]?)(?:(?<word>[\p{L}\p{M}]+)|(?<digits>\p{N}+))$|^(?<blanks>\s+)$`,
      'u',
    ),
  };
}

// oxlint-disable-next-line no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Cached weights of short runs, which occur again and again. A longer run would keep the whole text in memory. */
const weights = new Map<string, number>();
const MOST_WEIGHTS = 20_000;
const SHORT_RUN = 12;

/** Weight that a sign other than a blank adds to the word after it; names around an at sign are rare words. */
const GLUE: Readonly<Record<string, number>> = { '/': 0.35, '.': 0.35, _: 0.7, '@': 3.4 };
/** Weight that several signs, or a sign behind a blank, add to a long word after them. */
const BEHIND_SIGNS = 0.5;
/** Weight that a capitalized word adds after another one: together they are probably the name of a person. */
const SECOND_NAME = 0.8;
const WORD = /[^\r\nA-Za-z0-9]?(?:[A-Z]*[a-z]+|[A-Z]+)/g;
/** Weight that a word adds each time after it has occurred so often, up to some number. */
const OWN_WORD = 1.2;
const OFTEN = 6;
const VERY_OFTEN = 30;
/** Words that occur often in code. */
const KEYWORD =
  /^\s?(?:async|await|boolean|const|define|export|extern|false|function|import|include|inline|number|public|private|readonly|return|static|string|struct|typedef|unknown|unsigned)$/;
const RARE_LETTERS = /[jqxzkvw].*[jqxzkvw]/i;
/** Word without vowels, and the capitals of an abbreviation before a capitalized word. */
const ABBREVIATED = /^[^aeiouy]+$/i;
const INNER_CAPITALS = /^[A-Z]{2,}(?=[A-Z][a-z])/;
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{4,}/i;

/**
 * Maximum number of characters that are matched at once: regular expressions overflow the stack on words of megabytes.
 */
const LONGEST_PART = 1_000_000;

/**
 * Estimates the number of tokens of a text for a current model, so that almost no text has more than the estimate. The
 * weights were fitted on 4,400 pieces of 2,000 characters (source code in eight languages, logs, tables, listings,
 * Markdown, JSON, markup) against the o200k vocabulary: 99 of 100 pieces have fewer tokens than estimated, and half of
 * them have over 80 % of the estimate. Letters and signs beyond ASCII are weighed by their alphabet, after the mean
 * number of tokens of each block of Unicode.
 *
 * @param enough the number at which counting stops; the result is then some number above it
 */
export function estimateTokens(text: string, enough = Infinity): number {
  let total = 0;
  if (text.length > LONGEST_PART) {
    for (let at = 0; at < text.length && total <= enough; at += LONGEST_PART)
      total += estimateTokens(text.slice(at, at + LONGEST_PART), enough - total);
    return total;
  }
  let isBehindName = false;
  let isBehindSigns = false;
  const { run: pattern, parts } = BEYOND_ASCII.test(text) ? (unicode ??= compileUnicode()) : ASCII;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null && total <= enough; match = pattern.exec(text)) {
    const run = match[0];
    const isName = isCapitalized(run);
    if (isName && isBehindName) total += SECOND_NAME;
    isBehindName = isName;
    if (isBehindSigns && run.length > 4 && run.charCodeAt(0) > 32) total += BEHIND_SIGNS;
    isBehindSigns = isSign(run.charCodeAt(run.length - 1));
    let weight = weights.get(run);
    if (weight === undefined) {
      weight = weighRun(run, parts);
      if (weights.size >= MOST_WEIGHTS) weights.clear();
      if (run.length <= SHORT_RUN) weights.set(run, weight);
    }
    total += weight;
  }
  return total;
}

/**
 * Estimates how many tokens more a text has because words occur often in it: they are probably the subject's own, and
 * rarer than others of their length.
 */
export function estimateOwnWords(text: string): number {
  let total = 0;
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) {
    if (word.length <= 5 || word.length > SHORT_RUN || KEYWORD.test(word)) continue;
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    if (count > OFTEN && count <= VERY_OFTEN) total += OWN_WORD;
  }
  return total;
}

/** Returns true for an ASCII character that is no letter, digit or blank. */
function isSign(code: number): boolean {
  return (code > 32 && code < 48) || (code > 57 && code < 65) || (code > 90 && code < 97) || (code > 122 && code < 127);
}

/** Returns true for a word that begins with a capital letter followed by others, with or without a blank before it. */
function isCapitalized(run: string): boolean {
  const at = run.charCodeAt(0) === 32 ? 1 : 0;
  const code = run.charCodeAt(at);
  return code >= 65 && code <= 90 && run.charCodeAt(at + 1) >= 97;
}

function weighRun(run: string, parts: RegExp): number {
  const { sign = '', word, digits, blanks } = parts.exec(run)?.groups ?? {};
  if (word !== undefined) return weighWord(word, sign);
  if (digits !== undefined) return 1.07;
  return blanks === undefined ? weighSigns(run) : 1.12 + run.length / 110;
}

/** Returns true if a text is estimated to have at most `max` tokens. */
export function isWithinTokens(text: string, max: number): boolean {
  // Almost no character is more than one token.
  if (text.length * 4 <= max) return true;
  return estimateTokens(text, max) <= max;
}

/** Weighs what a sign makes of the word after it: seldom are both one token. */
function weighGlue(word: string, sign: string): number {
  if (word.length > 3) return GLUE[sign] ?? 1.4;
  if (word.length < 3) return 0;
  return (sign in GLUE ? 0.15 : 0.7) + (ABBREVIATED.test(word) ? 0.8 : 0);
}

function weighWord(word: string, sign: string): number {
  const glue = sign === '' || sign === ' ' ? 0 : weighGlue(word, sign);
  if (BEYOND_ASCII.test(word)) return glue + weighLetters(word);
  if (/^[A-Z]{2,}$/.test(word)) return glue + 2 + Math.max(0, word.length - 8) * 0.4;
  const consonants = CONSONANTS.exec(word)?.[0].length ?? 3;
  const rare = RARE_LETTERS.test(word) ? 1.7 : 0;
  const capitals = INNER_CAPITALS.exec(word)?.[0].length ?? 0;
  return 1.02 + glue + rare + capitals * 0.6 + Math.max(0, word.length - 10) * 0.75 + (consonants - 3) * 0.78;
}

/** Part of Unicode whose letters have the same weight. */
interface Alphabet {
  readonly first: number;
  readonly last: number;
  readonly weight: number;
}

/**
 * Weights of letters by the last code point with that weight. A letter of an alphabet that many people write is at most
 * one token; of any other, nearly as many tokens as bytes.
 */
const LETTER_WEIGHTS: readonly Alphabet[] = [
  [0x24f, 0.5],
  [0x6ff, 1],
  [0x8ff, 2],
  [0xe7f, 1],
  [0xfff, 1.7],
  [0x10ff, 1],
  [0x11ff, 3],
  [0x139f, 1.9],
  [0x177f, 3],
  [0x17ff, 1],
  [0x1dff, 3],
  [0x1eff, 1.2],
  [0x1fff, 1.9],
  [0x2fff, 3],
  [0x30ff, 1],
  [0x33ff, 2.5],
  [0x4dbf, 3],
  [0x9fff, 1],
  [0xabff, 3],
  [0xd7ff, 1],
  [0xffff, 2.5],
  [0x10ffff, 4],
].map(([last, weight], index, all) => ({ first: (all[index - 1]?.[0] ?? -1) + 1, last: last!, weight: weight! }));

function findAlphabet(code: number): Alphabet {
  return LETTER_WEIGHTS.find(({ last }) => code <= last)!;
}

/**
 * Weight that an ideograph or a Hangul syllable adds behind one with nearly the same code point: texts are not in the
 * order of the codes, only tables are, and most letters of a table are rare.
 */
const TABLE_LETTER = 1;
const NEAR_CODES = 100;

function weighLetters(word: string): number {
  let total = 0.5;
  let before = 0;
  let alphabet = LETTER_WEIGHTS[0]!;
  for (let index = 0, code = 0; index < word.length; index += code > 0xffff ? 2 : 1) {
    code = word.codePointAt(index)!;
    // Letters that follow each other are mostly of one alphabet.
    if (code > alphabet.last || code < alphabet.first) alphabet = findAlphabet(code);
    total += alphabet.weight;
    if (code >= 0x4e00 && code !== before && Math.abs(code - before) < NEAR_CODES) total += TABLE_LETTER;
    before = code;
  }
  return total;
}

function weighSigns(signs: string): number {
  let total = 1.16 + Math.max(0, signs.trim().length - 2) * 0.33;
  let before = '';
  for (const sign of signs) {
    if (sign === '\\') total += 0.25;
    if (sign === '\x1b') total += 1;
    if (sign > '\x7f') total += weighSign(sign, before);
    before = sign;
  }
  return total;
}

/** Lines and arrows are about two tokens, and one where they repeat; pictures are up to three. */
function weighSign(sign: string, before: string): number {
  if (sign.length > 1) return 2;
  return before > '\x7f' && sign !== before ? 1.7 : 1;
}

const MARK = '…';

/**
 * Returns the first of several versions of a text that fits, best first; if none does, the last one truncated.
 *
 * @param cap the maximum length of the text, in units
 * @param fits tests whether a text fits. Default: it has at most `cap` units
 */
export function chooseVersion(versions: Iterable<string>, cap: number, fits = isWithinUnits): string {
  let last = '';
  for (const version of versions) {
    if (fits(version, cap)) return version;
    last = version;
  }
  return truncateUnits(last, cap);
}

/**
 * Returns true for a text of at most `cap` units that is not shortened for its tokens either, of which it may have more
 * than the units suggest.
 */
export function isWithinLimit(text: string, cap: number): boolean {
  return isWithinUnits(text, cap) && isWithinTokens(text, (cap / UNITS_PER_TOKEN) * CAP_TOLERANCE);
}

/** Returns a text, or its beginning with a mark if it has more than `max` units. */
export function truncateUnits(text: string, max: number): string {
  return isWithinUnits(text, max) ? text : `${takeFirstUnits(text, Math.max(0, max - countUnits(MARK)))}${MARK}`;
}

/** Formats a number with its noun: `1 line`, `3 lines`, `2 matches`, `0 entries`. */
export function formatCount(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.replace(/([^aeiou])y$/, '$1ie')}${/(?:ch|s|x)$/.test(noun) ? 'es' : 's'}`;
}

/** Joins the first of some names, and the number of the others: `a, b, +3 more`. */
export function joinFirst(names: readonly string[], most: number, more = ' more'): string {
  const hidden = names.length - most;
  return `${names.slice(0, most).join(', ')}${hidden > 0 ? `, +${hidden}${more}` : ''}`;
}

/** Joins the parts of a display, one below the other; empty ones leave no gap. */
export function joinParts(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

/** Characters that texts for the web write by name, such as `&nbsp;`. */
export const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
  hellip: '…',
};

/** First and last of consecutive lines; they count from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Formats the numbers of lines: `3-9,12`. */
export function formatRanges(ranges: readonly Lines[]): string {
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}
