import type { Database, Row } from './database.ts';

/** A prompt, an answer, or the output of a call or run block. */
export interface Entry {
  /** Counts through all sessions of the store. */
  readonly id: number;
  readonly session: string;
  readonly time: Date;
  readonly mode: string;
  /** `ai` for prompts and answers, `tool` for calls, `run` for run blocks. */
  readonly channel: string;
  readonly direction: 'input' | 'output';
  /** At most 10,000 characters. */
  readonly content: string;
  /** With `truncated` and `original_length` when the content is cut. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Where and how much to search. */
export interface SearchOptions {
  /** Most entries that are returned. Default: 20. */
  readonly limit?: number;
  /** Id of the one session to search. Default: all. */
  readonly session?: string;
}

/** Finds the entries that contain every word, best first; for a text without words the latest ones, newest first. */
export function searchEntries(database: Database, text: string, options: SearchOptions = {}): readonly Entry[] {
  const { limit = 20, session } = options;
  const { match, patterns } = parseSearch(text);
  const conditions = [
    ...(match === '' ? [] : ['entry_words MATCH ?']),
    ...patterns.map(() => String.raw`entries.content LIKE ? ESCAPE '\'`),
    ...(session === undefined ? [] : ['session = ?']),
  ];
  const from = match === '' ? 'entries' : 'entry_words JOIN entries ON entries.id = entry_words.rowid';
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const order = match === '' ? 'id DESC' : 'entry_words.rank, id DESC';
  const values = [...(match === '' ? [] : [match]), ...patterns, ...(session === undefined ? [] : [session])];
  const sql = `SELECT entries.* FROM ${from} ${where} ORDER BY ${order} LIMIT ?`;
  return database.all(sql, ...values, Math.max(0, Math.trunc(limit))).map(toSearchEntry);
}

/** Entries of a session in their order, from a position on. */
export function readEntriesOf(
  database: Database,
  session: string,
  { from = 0, limit = 40 }: { readonly from?: number; readonly limit?: number } = {},
): readonly Entry[] {
  const sql = 'SELECT * FROM entries WHERE session = ? ORDER BY id LIMIT ? OFFSET ?';
  return database.all(sql, session, limit, from).map(toSearchEntry);
}

/** One entry by its number. */
export function readEntryById(database: Database, id: number): Entry | undefined {
  const row = database.get('SELECT * FROM entries WHERE id = ?', id);
  return row && toSearchEntry(row);
}

/** How many entries there are, by session. */
export function countEntries(database: Database): ReadonlyMap<string, number> {
  const rows = database.all('SELECT session, count(*) AS count FROM entries GROUP BY session');
  return new Map(rows.map((row) => [String(row['session']), Number(row['count'])]));
}

/** An entry of its row. */
export function toSearchEntry(row: Row): Entry {
  return {
    id: Number(row['id']),
    session: String(row['session']),
    time: new Date(Number(row['time'])),
    mode: String(row['mode']),
    channel: String(row['channel']),
    direction: row['direction'] === 'input' ? 'input' : 'output',
    content: String(row['content']),
    meta: JSON.parse(String(row['meta'])) as Entry['meta'],
  };
}

/** A search in the two ways of SQLite: words by its index, patterns by reading every text. */
export interface ParsedSearch {
  /** Expression for the index of words; empty when there is none. */
  readonly match: string;
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
  return { match: words.map((word) => `${quoteWord(word.text)}${word.isBeginning ? ' *' : ''}`).join(' '), patterns };
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
