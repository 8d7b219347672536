import type { Database, Row, Value } from '../database.ts';
import type { SessionKeys } from '../record-chain.ts';
import { parseSearch } from './search-text.ts';
import { isEntrySql, readEntry, type Entry, type EntryChannel } from './session-entry.ts';

/** Conditions that entries have to meet. */
export interface EntryFilter {
  /** Id of the one session to search. Default: all. */
  readonly session?: string;
  /** Folder of the sessions to search. Default: all. */
  readonly cwd?: string;
  readonly channel?: EntryChannel;
  /** Earliest time of the entries. */
  readonly since?: Date;
  /** Tag of the entries; true for any tag. */
  readonly tag?: string | true;
}

/** Conditions of a search, and the maximum number of its results. */
export interface EntrySearchOptions extends EntryFilter {
  /** Maximum number of returned entries. Default: 20. */
  readonly limit?: number;
}

/**
 * Maximum number of matches that are all ranked; with more, the words are so common that ranking the newest is enough.
 */
const MOST_RANKED = 10_000;
/** Number of the newest matches that are ranked in that case. */
const NEWEST_RANKED = 500;
/** Number of entries read at a time when texts have to be scanned. */
const PAGE = 500;

/** A statement without its columns, order and limit. */
interface Selection {
  readonly from: string;
  readonly where: readonly string[];
  readonly values: readonly Value[];
}

/** Finds entries in the log of a store. */
export class EntrySearch {
  readonly #database: Database;
  readonly #keys: SessionKeys;

  constructor(database: Database, keys: SessionKeys) {
    this.#database = database;
    this.#keys = keys;
  }

  /** Finds the entries that contain every word, best first; for a text without words, the latest ones, newest first. */
  find(text: string, { limit = 20, ...filter }: EntrySearchOptions = {}): readonly Entry[] {
    const most = Math.max(0, Math.trunc(limit));
    const { match, exact, patterns } = parseSearch(text);
    if (match === '' && patterns.length === 0) return this.#read(select(filter), NEWEST, most);
    if (patterns.length > 0) return this.#findParts(text, { ...filter, limit: most });
    const common = [exact, match].find((one) => this.#isCommon(one));
    if (common === undefined) return this.#read(select(filter, { match, plain: [] }), BEST, most);
    const newest = this.#select(select(filter, { match: common, plain: [] }), NEWEST_MATCH, NEWEST_RANKED);
    return rankNewest(newest, text)
      .slice(0, most)
      .map((row) => this.#toEntry(row));
  }

  /** Finds entries with words that are not in the index, by scanning every text that may contain them. */
  #findParts(text: string, { limit, ...filter }: EntryFilter & { readonly limit: number }): readonly Entry[] {
    const { match, patterns } = parseSearch(text);
    const plain = patterns.filter((pattern) => !ESCAPED_IN_JSON.test(pattern));
    const parts = patterns.map((pattern) =>
      pattern
        .slice(1, -1)
        .replaceAll(/\\([\\%_])/g, '$1')
        .toLowerCase(),
    );
    const selection = select(filter, { match, plain });
    const found: Entry[] = [];
    for (let offset = 0; found.length < limit; offset += PAGE) {
      const page = this.#read(selection, match === '' ? NEWEST : BEST, PAGE, offset);
      found.push(...page.filter(({ content }) => parts.every((part) => content.toLowerCase().includes(part))));
      if (page.length < PAGE) break;
    }
    return found.slice(0, limit);
  }

  /** Counts the entries that a search by words finds, up to a limit; undefined if texts would have to be scanned. */
  count(text: string, { limit = MOST_RANKED, ...filter }: EntrySearchOptions = {}): number | undefined {
    const { match, patterns } = parseSearch(text);
    if (patterns.length > 0) return undefined;
    const { from, where, values } = select(filter, { match, plain: [] });
    const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${from} WHERE ${where.join(' AND ')} LIMIT ?)`;
    return Number(this.#database.get(sql, ...values, limit)?.['count']);
  }

  /** Lists entries in their order, starting at a position. */
  list(filter: EntryFilter, { from = 0, limit = 40 }: { readonly from?: number; readonly limit?: number } = {}) {
    return this.#read(select(filter), 'id', limit, from);
  }

  /** Tests whether too many entries contain the words to rank them all. */
  #isCommon(match: string): boolean {
    const sql = 'SELECT 1 FROM entry_words WHERE entry_words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?';
    return this.#database.get(sql, match, MOST_RANKED) !== undefined;
  }

  #read(selection: Selection, order: string, ...limits: readonly number[]): readonly Entry[] {
    return this.#select(selection, order, ...limits).map((row) => this.#toEntry(row));
  }

  #toEntry(row: Row): Entry {
    return readEntry(row, this.#keys.of(String(row['session'])));
  }

  #select({ from, where, values }: Selection, order: string, ...limits: readonly number[]): readonly Row[] {
    const sql = `SELECT events.* FROM ${from} WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT ? OFFSET ?`;
    const [limit = 0, offset = 0] = limits;
    return this.#database.all(sql, ...values, limit, offset);
  }
}

const NEWEST = 'id DESC';
const NEWEST_MATCH = 'entry_words.rowid DESC';
const BEST = 'entry_words.rank, id DESC';

/** Sorts entries by the frequency of the words relative to their length; the newest come first among equals. */
function rankNewest(newest: readonly Row[], text: string): readonly Row[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const scored = newest.map((row) => {
    const content = readEntry(row).content.toLowerCase();
    const count = words.reduce((sum, word) => sum + content.split(word).length - 1, 0);
    return { row, score: count / (count + 1 + content.length / 500) };
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ row }) => row);
}

/** Matches characters that are escaped in JSON, and the replacement for those that SQLite cannot store. */
// oxlint-disable-next-line no-control-regex
const ESCAPED_IN_JSON = /["\\\0-\u001f\ufffd]/;

function select(
  { session, cwd, channel, since, tag }: EntryFilter,
  words?: { readonly match: string; readonly plain: readonly string[] },
): Selection {
  const { match = '', plain = [] } = words ?? {};
  const conditions: readonly (readonly [string, Value] | undefined)[] = [
    match === '' ? undefined : ['entry_words MATCH ?', match],
    ...plain.map((pattern) => ['body LIKE ?', pattern] as const),
    session === undefined ? undefined : ['session = ?', session],
    cwd === undefined ? undefined : ['session IN (SELECT id FROM sessions WHERE cwd = ?)', cwd],
    since === undefined ? undefined : ['time >= ?', since.getTime()],
    tag === undefined || tag === true ? undefined : ['events.id IN (SELECT entry FROM tags WHERE tag = ?)', tag],
  ];
  const given = conditions.filter((one) => one !== undefined);
  return {
    from: match === '' ? 'events' : 'entry_words JOIN events ON events.id = entry_words.rowid',
    where: [
      isEntrySql(channel),
      ...(tag === true ? ['events.id IN (SELECT entry FROM tags)'] : []),
      ...given.map(([sql]) => sql),
    ],
    values: given.map(([, value]) => value),
  };
}
