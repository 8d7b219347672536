import type { Database, Row } from './database.ts';
import { searchTerms } from './search-terms.ts';

/** Something that was said or done in a session. */
export interface Entry {
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
  /** Most entries that are given. Default: 20. */
  readonly limit?: number;
  /** Id of the one session to look in. Default: all. */
  readonly session?: string;
}

/** Entries that hold every word, best first; for a text without words the latest ones, newest first. */
export function searchEntries(database: Database, text: string, options: SearchOptions = {}): readonly Entry[] {
  const { limit = 20, session } = options;
  const { match, patterns } = searchTerms(text);
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
  return database.all(sql, ...values, Math.max(0, Math.trunc(limit))).map(entryOf);
}

function entryOf(row: Row): Entry {
  return {
    session: String(row['session']),
    time: new Date(Number(row['time'])),
    mode: String(row['mode']),
    channel: String(row['channel']),
    direction: row['direction'] === 'input' ? 'input' : 'output',
    content: String(row['content']),
    meta: JSON.parse(String(row['meta'])) as Entry['meta'],
  };
}
