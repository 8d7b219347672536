/** The two parts of a search in SQLite: words for the index, and patterns that need to read every text. */
export interface ParsedSearch {
  /** Expression for the index of words; empty if no word is indexed. */
  readonly match: string;
  /** The same expression, but matching the last word as a whole. */
  readonly exact: string;
  /** Patterns for LIKE, escaped by a backslash. */
  readonly patterns: readonly string[];
}

/** Maximum number of words in a search; more would only be slow. */
const MOST_WORDS = 32;
const LONGEST_WORD = 200;
/** Minimum number of letters and digits in an indexed word; shorter words, such as `C++`, are found by their text. */
const SHORTEST_INDEXED = 3;

/** Matches the letters and digits that the index supports; it ignores those added by newer versions of Unicode. */
const KNOWN = /[[\p{L}\p{N}]&&[0-9A-Za-zÀ-ɏΆ-ώЀ-ӿ]]/gv;
/** Matches a letter of a script without spaces between words, in which the index would treat a sentence as one word. */
const UNSPACED = /[\p{L}--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]]/v;

/**
 * Turns any text into a valid search.
 *
 * All words must occur; the last one may be the beginning of a word. Case of Latin letters, and accents, do not
 * matter.
 */
export function parseSearch(text: string): ParsedSearch {
  const { words, patterns } = splitSearch(text);
  const match = words.map((word) => `${quoteWord(word.text)}${word.isBeginning ? ' *' : ''}`).join(' ');
  return { match, exact: words.map((word) => quoteWord(word.text)).join(' '), patterns };
}

/** Splits a search into words for the index, and LIKE patterns for words that are not in the index. */
export function splitSearch(text: string): {
  readonly words: readonly { readonly text: string; readonly isBeginning: boolean }[];
  readonly patterns: readonly string[];
} {
  const all = splitWords(text);
  const last = all.at(-1);
  return {
    words: all.filter(isIndexed).map((word) => ({ text: word, isBeginning: word === last })),
    patterns: all.filter((word) => !isIndexed(word)).map(toPattern),
  };
}

function splitWords(text: string): readonly string[] {
  // Long enough for the maximum number of words.
  const start = text.slice(0, MOST_WORDS * LONGEST_WORD * 2);
  const words = start.split(/\s+/u).filter((word) => word !== '');
  return words.slice(0, MOST_WORDS).map((word) => toStorable(word.slice(0, LONGEST_WORD)));
}

function isIndexed(word: string): boolean {
  const length = word.match(KNOWN)?.length ?? 0;
  return length >= SHORTEST_INDEXED && !UNSPACED.test(word);
}

function quoteWord(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

function toPattern(word: string): string {
  return `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** Maximum length of searchable content, in UTF-16 code units. */
const LONGEST = 10_000;

/** A text in the form in which it is searched and shown in lists. */
export interface SearchableText {
  readonly content: string;
  /** Original length, if the content was cut. */
  readonly meta: { readonly truncated?: true; readonly original_length?: number };
}

/** Returns the beginning of a text, at most 10,000 characters, in a form that SQLite can store. */
export function toSearchable(text: string): SearchableText {
  if (text.length <= LONGEST) return { content: toStorable(text), meta: {} };
  return {
    content: toStorable(text.slice(0, cutPosition(text))),
    meta: { truncated: true, original_length: text.length },
  };
}

/** Replaces NULs, at which SQLite would end the text, and lone surrogates. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function cutPosition(text: string): number {
  const point = text.codePointAt(LONGEST - 1) ?? 0;
  return point > 0xffff ? LONGEST - 1 : LONGEST;
}

/** Splits text into words for comparison: lowercase, without accents, and only letters and digits. */
export function toWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A search in the syntax of PostgreSQL. */
interface WordSearch {
  /** For `to_tsquery('simple', …)`; empty when there are no words. */
  readonly query: string;
  /** For ILIKE, escaped by a backslash. */
  readonly patterns: readonly string[];
}

/** Turns any text into a valid search: all words have to occur, and the last one may be the start of a word. */
export function parseWordSearch(text: string): WordSearch {
  const { words, patterns } = splitSearch(text);
  // Only letters and digits are left, so that it cannot contain operators.
  const query = words.map((word) => `(${toWords(word.text).join(' <-> ')}${word.isBeginning ? ':*' : ''})`).join(' & ');
  return { query, patterns };
}
