import { plainText } from './searchable-text.ts';

/** A search as the two things SQLite can do: find words by its index, and look through every text. */
export interface SearchTerms {
  /** Expression for the index of words; empty when there is none. */
  readonly match: string;
  /** Patterns that a text has to be like, escaped by a backslash. */
  readonly patterns: readonly string[];
}

/** More is nobody's question, and would only be slow. */
const MOST_WORDS = 32;
const LONGEST_WORD = 200;
/** Words of fewer letters and digits are looked for within others, too: `C++` is more than its letter. */
const SHORTEST_INDEXED = 3;

/** Letters and digits that were in Unicode before the index learned it: of others it makes no word at all. */
const KNOWN = /[[\p{L}\p{N}]&&[0-9A-Za-zÀ-ɏΆ-ώЀ-ӿ]]/gv;
/** A letter of a script that may not put spaces between words: the index would take a sentence for one word. */
const UNSPACED = /[\p{L}--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]]/v;

/**
 * Turns what somebody types into a search that cannot be wrong: every text is one.
 *
 * All words have to occur; the last one may be the beginning of a word. Case of Latin letters, and accents,
 * do not matter.
 */
export function searchTerms(text: string): SearchTerms {
  const words = wordsOf(text);
  const last = words.at(-1);
  const match = words
    .filter(isIndexed)
    .map((word) => (word === last ? `${quoted(word)} *` : quoted(word)))
    .join(' ');
  return { match, patterns: words.filter((word) => !isIndexed(word)).map(pattern) };
}

function wordsOf(text: string): readonly string[] {
  // Long enough for all that is used.
  const start = text.slice(0, MOST_WORDS * LONGEST_WORD * 2);
  const words = start.split(/\s+/u).filter((word) => word !== '');
  return words.slice(0, MOST_WORDS).map((word) => plainText(word.slice(0, LONGEST_WORD)));
}

function isIndexed(word: string): boolean {
  const length = word.match(KNOWN)?.length ?? 0;
  return length >= SHORTEST_INDEXED && !UNSPACED.test(word);
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

function pattern(word: string): string {
  return `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
