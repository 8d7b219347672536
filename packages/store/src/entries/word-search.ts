import { splitSearch } from './search-text.ts';

/** Splits text into words for comparison: lowercase, without accents, and only letters and digits. */
export function toWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A search in the syntax of PostgreSQL. */
export interface WordSearch {
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
