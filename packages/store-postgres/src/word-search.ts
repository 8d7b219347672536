import { splitSearch } from '@bae/store/backend';

/** The words of a text as they are compared: without accents, case, and everything that is no letter or digit. */
export function toWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A search as PostgreSQL has it. */
export interface WordSearch {
  /** For `to_tsquery('simple', …)`; empty when there are no words. */
  readonly query: string;
  /** For ILIKE, escaped by a backslash. */
  readonly patterns: readonly string[];
}

/** Turns any text into a valid search: all words occur, and the last one may be the beginning of a word. */
export function parseWordSearch(text: string): WordSearch {
  const { words, patterns } = splitSearch(text);
  // Only letters and digits are left, so that nothing in it is an operator.
  const query = words.map((word) => `(${toWords(word.text).join(' <-> ')}${word.isBeginning ? ':*' : ''})`).join(' & ');
  return { query, patterns };
}
