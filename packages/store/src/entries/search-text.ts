/** A search in the two ways of SQLite: words by its index, patterns by reading every text. */
export interface ParsedSearch {
  /** Expression for the index of words; empty when there is none. */
  readonly match: string;
  /** The same, where the last word is whole. */
  readonly exact: string;
  /** Patterns for LIKE, escaped by a backslash. */
  readonly patterns: readonly string[];
}

/** More would only be slow. */
const MOST_WORDS = 32;
const LONGEST_WORD = 200;
/** Words of fewer letters and digits also match within others: `C++` is more than its letter. */
const SHORTEST_INDEXED = 3;

/** Letters and digits in the index; it ignores those that newer versions of Unicode added. */
const KNOWN = /[[\p{L}\p{N}]&&[0-9A-Za-zÀ-ɏΆ-ώЀ-ӿ]]/gv;
/** A letter of a script without spaces between words: the index would take a sentence for one word. */
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

/** The words of a search for an index of words, and the patterns for LIKE of what such an index does not have. */
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
  // Enough for all words that count.
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

/** Longest searchable content, in UTF-16 code units. */
const LONGEST = 10_000;

/** A text as it is searched and shown in lists. */
export interface SearchableText {
  readonly content: string;
  /** Whether the content is cut, and how long it was. */
  readonly meta: { readonly truncated?: true; readonly original_length?: number };
}

/** The beginning of a text, at most 10,000 characters, as SQLite can store it. */
export function toSearchable(text: string): SearchableText {
  if (text.length <= LONGEST) return { content: toStorable(text), meta: {} };
  return {
    content: toStorable(text.slice(0, cutPosition(text))),
    meta: { truncated: true, original_length: text.length },
  };
}

/** A text without NULs, where SQLite would end it, and without lone surrogates. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function cutPosition(text: string): number {
  const point = text.codePointAt(LONGEST - 1) ?? 0;
  return point > 0xffff ? LONGEST - 1 : LONGEST;
}
