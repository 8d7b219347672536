import { randomBytes } from 'node:crypto';
import type { AgentEvent } from '@bae/core';
import { runTransaction, runTransactionSoon, type Database, type Row } from './database.ts';
import { KeptResults } from './kept-results.ts';
import { openDatabase, type DatabaseOptions } from './open-database.ts';
import { BODY } from './packed-body.ts';
import {
  isSessionProven,
  readApprovals,
  readSnapshot,
  type SessionSnapshot,
  type RecordedApproval,
} from './read-snapshot.ts';
import { SCHEMA } from './schema.ts';
import { isSignedSession, readSessionStart, signSession, SessionKeys } from './record-chain.ts';
import { forgetText, type ForgetReport } from './entries/forget-text.ts';
import { EntrySearch, type EntryFilter, type EntrySearchOptions } from './entries/search-entries.ts';
import { toStorable } from './entries/search-text.ts';
import { isEntrySql, readEntry, type Entry } from './entries/session-entry.ts';
import { SessionWriter } from './session-writer.ts';
import type {
  LogEvent,
  LoggedEvent,
  NewSession,
  SessionInfo,
  SessionParts,
  SessionStore,
  TagChange,
} from './session-store.ts';
import { makeUnknownSessionError } from './store-error.ts';

/** Options for opening a store. */
export interface StoreOptions extends Pick<DatabaseOptions, 'busyMs'> {
  /** Returns the current time. Default: the clock of this machine. */
  readonly now?: () => Date;
  /**
   * Secret of the user: everything written is signed with it, and everything read without that signature is foreign.
   * Default: the file is trusted as it is.
   */
  readonly key?: Uint8Array;
  /**
   * Returns the secret of the user for another folder. With it, the words of sessions that began in that folder count as
   * the user's own, so that they stay known when the folder is moved; consents do not. Default: `key` alone.
   */
  readonly keyOf?: (cwd: string) => Uint8Array;
}

const ADD_SESSION = 'INSERT INTO sessions (id, label, started, cwd, meta, mac) VALUES (?, ?, ?, ?, ?, ?)';
/** Removes sessions that are not among the newest ones and have not been active since a given time. */
const REMOVE_OLD = `
  DELETE FROM sessions WHERE id NOT IN (SELECT id FROM sessions ORDER BY id DESC LIMIT ?1) AND started < ?2
  AND NOT EXISTS (SELECT 1 FROM events WHERE session = sessions.id AND seq = sessions.last_seq AND time >= ?2)`;
/** Time since its last event in which a session may still be running, in milliseconds. */
const MAY_BE_RUNNING_MS = 24 * 60 * 60 * 1000;
const TAKE_OVER = 'UPDATE sessions SET epoch = epoch + 1 WHERE id = ? RETURNING epoch';
const COUNT_TAGS = `
  SELECT tag, count(*) AS count FROM tags WHERE ?1 IS NULL
  OR entry IN (SELECT events.id FROM events JOIN sessions ON sessions.id = session WHERE cwd = ?1)
  GROUP BY tag ORDER BY tag`;
const EVENTS = `SELECT seq, time, epoch, ${BODY} AS body FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?`;

/**
 * Sessions in one file: their events, the data to resume them, and a search through them.
 *
 * Data is on disk when a method returns. Several stores, in one process or many, may be open on one file. Every
 * method throws a `StoreError` when the file cannot be read or written.
 */
export class Store implements SessionStore {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #key: Uint8Array | undefined;
  readonly #keys: SessionKeys;
  readonly #entries: EntrySearch;

  private constructor(database: Database, { now = () => new Date(), key, keyOf }: StoreOptions) {
    this.#database = database;
    this.#now = now;
    this.#key = key;
    this.#keys = new SessionKeys(database, { key, keyOf });
    this.#entries = new EntrySearch(database, this.#keys);
  }

  /**
   * Opens a store, or creates one.
   *
   * @param file path of the database; its parent folders are created
   * @throws StoreError when the file is something else, was created by a newer bae, or cannot be used
   */
  static open(file: string, { busyMs, ...options }: StoreOptions = {}): Store {
    return new Store(openDatabase(file, { ...(busyMs !== undefined && { busyMs }), steps: SCHEMA }), options);
  }

  /**
   * Removes text, regardless of case, from everything that a store keeps, and from its file. While another process is
   * reading, the file may still contain the text until that process is done. Each event and record that contained it
   * gets the hash of its original content; signed data stays verifiable.
   *
   * @throws StoreError for text of fewer than four characters, and as `open` does
   */
  static forget(file: string, text: string, options: StoreOptions = {}): ForgetReport {
    const store = Store.open(file, options);
    try {
      return forgetText(store.#database, text, { key: store.#key, keys: store.#keys });
    } finally {
      store.close();
    }
  }

  /** Absolute path of the database. */
  get file(): string {
    return this.#database.file;
  }

  /** Starts a session and returns its id; ids sort by age. */
  createSession({ label = '1', cwd = '', meta = {} }: NewSession = {}): string {
    const now = this.#now();
    // Nobody misses a session without an event.
    return runTransactionSoon(this.#database, () => {
      const latest = this.#database.get('SELECT max(id) AS id FROM sessions')?.['id'];
      const id = makeSessionId(now, typeof latest === 'string' ? latest : undefined);
      const start = {
        id,
        label: toStorable(label),
        started: now.getTime(),
        cwd: toStorable(cwd),
        meta: JSON.stringify(meta),
      };
      const mac = this.#key === undefined ? null : signSession(this.#key, start);
      this.#database.run(ADD_SESSION, id, start.label, start.started, start.cwd, start.meta, mac);
      return id;
    });
  }

  sessions(limit = 20, cwd?: string): readonly SessionInfo[] {
    const sql = 'SELECT * FROM sessions WHERE coalesce(cwd = ?, 1) ORDER BY id DESC LIMIT ?';
    return this.#database
      .all(sql, cwd ?? null, limit)
      .map((row) => toSessionInfo(row, this.#keys.of(String(row['id']))));
  }

  takeOver(session: string): number {
    const row = runTransaction(this.#database, () => this.#database.get(TAKE_OVER, session));
    if (row === undefined) throw makeUnknownSessionError(session);
    return Number(row['epoch']);
  }

  /**
   * Creates the writer of a session, for `createAgent({ log })`; with an epoch, it writes until another worker takes
   * over.
   */
  log(session: string, epoch?: number): SessionWriter {
    this.#check(session);
    return new SessionWriter(this.#database, session, { now: this.#now, key: this.#key, epoch });
  }

  /** Keeps whole results of a session, for `createAgent({ results })`; numbering continues after a restart. */
  results(session: string, epoch?: number): KeptResults {
    this.#check(session);
    return new KeptResults(this.#database, session, { now: this.#now, epoch, key: this.#key });
  }

  openSession(session: string, epoch?: number): SessionParts {
    const resume = this.snapshot(session);
    const parts = { log: this.log(session, epoch), results: this.results(session, epoch) };
    return resume.messages.length === 0 ? parts : { ...parts, resume };
  }

  append(session: string, event: LogEvent, epoch?: number): number {
    const writer = new SessionWriter(this.#database, session, { now: this.#now, key: this.#key, epoch });
    // The log stores events of any type, even unknown ones.
    return writer.write(event as AgentEvent);
  }

  /** The last written state of a session, for `createAgent({ resume })`; `isForeign` when it is not signed. */
  snapshot(session: string): SessionSnapshot {
    return readSnapshot(this.#database, session, this.#key);
  }

  /** The latest decisions about calls, newest first, of one session or of all. Default: 100. */
  approvals(options: { readonly session?: string; readonly limit?: number } = {}): readonly RecordedApproval[] {
    return readApprovals(this.#database, options.session, options.limit ?? 100);
  }

  /** True when everything in a session was written with the user's key; undefined without a key. */
  isProven(session: string): boolean | undefined {
    return this.#key && isSessionProven(this.#database, session, this.#key);
  }

  /** Everything that happened in a session, in order. */
  events(session: string): readonly AgentEvent[] {
    this.#check(session);
    const rows = this.#database.all(EVENTS, session, 0, -1);
    return rows.map((row) => JSON.parse(String(row['body'])) as AgentEvent);
  }

  eventsAfter(session: string, after: number, limit: number): readonly LoggedEvent[] {
    this.#check(session);
    return this.#database.all(EVENTS, session, after, limit).map((row) => ({
      seq: Number(row['seq']),
      time: new Date(Number(row['time'])),
      ...(row['epoch'] !== null && { epoch: Number(row['epoch']) }),
      event: JSON.parse(String(row['body'])) as AgentEvent,
    }));
  }

  endOf(session: string): number {
    const row = this.#database.get('SELECT last_seq FROM sessions WHERE id = ?', session);
    if (row === undefined) throw makeUnknownSessionError(session);
    return Number(row['last_seq']);
  }

  entries(
    session: string | EntryFilter,
    page: { readonly from?: number; readonly limit?: number } = {},
  ): readonly Entry[] {
    if (typeof session === 'string') this.#check(session);
    return this.#entries.list(typeof session === 'string' ? { session } : session, page);
  }

  entry(id: number): Entry | undefined {
    const row = this.#database.get(`SELECT * FROM events WHERE id = ? AND ${isEntrySql()}`, id);
    return row && readEntry(row, this.#keys.of(String(row['session'])));
  }

  neighbours({ id, session }: Entry): { readonly previous?: number; readonly next?: number } {
    const find = (sql: string) =>
      this.#database.get(`SELECT id FROM events WHERE session = ? AND ${sql} LIMIT 1`, session, id);
    const previous = find(`id < ? AND ${isEntrySql()} ORDER BY id DESC`);
    const next = find(`id > ? AND ${isEntrySql()} ORDER BY id`);
    return { ...(previous && { previous: Number(previous['id']) }), ...(next && { next: Number(next['id']) }) };
  }

  search(text: string, options: EntrySearchOptions = {}): readonly Entry[] {
    return this.#entries.find(text, options);
  }

  countMatches(text: string, options: EntrySearchOptions = {}): number | undefined {
    return this.#entries.count(text, options);
  }

  tagsOf(entry: number): readonly string[] {
    const rows = this.#database.all('SELECT tag FROM tags WHERE entry = ? ORDER BY tag', entry);
    return rows.map((row) => String(row['tag']));
  }

  tags(cwd?: string): ReadonlyMap<string, number> {
    const rows = this.#database.all(COUNT_TAGS, cwd ?? null);
    return new Map(rows.map((row) => [String(row['tag']), Number(row['count'])]));
  }

  tag(entry: number, { add = [], remove = [] }: TagChange): void {
    runTransaction(this.#database, () => {
      for (const tag of remove) this.#database.run('DELETE FROM tags WHERE entry = ? AND tag = ?', entry, tag);
      for (const tag of add)
        this.#database.run('INSERT OR IGNORE INTO tags (entry, tag) VALUES (?, ?)', entry, toStorable(tag));
    });
  }

  keptResult(session: string, ref: string): string | undefined {
    const results = this.results(session);
    return results.isOwn(ref, this.#keys.of(session)) === false ? undefined : results.get(ref);
  }

  /**
   * Removes sessions with all their data, except the newest `count`. A session that was active within the last day is
   * kept, because it may be running.
   *
   * @returns the number of removed sessions
   */
  keepNewest(count: number): number {
    const since = this.#now().getTime() - MAY_BE_RUNNING_MS;
    return runTransaction(this.#database, () => this.#database.run(REMOVE_OLD, count, since));
  }

  /** Closes the file. Can be called more than once. */
  close(): void {
    this.#database.close();
  }

  #check(session: string): void {
    if (this.#database.get('SELECT 1 FROM sessions WHERE id = ?', session) === undefined)
      throw makeUnknownSessionError(session);
  }
}

/** Converts the row of a session to a line of a list. @param keys those with which it may be signed */
export function toSessionInfo(row: Row, keys?: readonly Uint8Array[]): SessionInfo {
  const start = readSessionStart(row);
  return {
    ...start,
    started: new Date(start.started),
    meta: JSON.parse(start.meta) as SessionInfo['meta'],
    turns: Number(row['last_turn']),
    messages: Number(row['messages']),
    calls: Number(row['last_call']),
    entries: Number(row['entries']),
    ...(row['prompt'] !== null && { prompt: String(row['prompt']) }),
    ...(keys && { isOwn: keys.some((key) => isSignedSession(key, { ...start, mac: row['mac'] })) }),
  };
}

/** Hexadecimal digits of an id that hold its time: 48 bits of milliseconds. */
const TIME_DIGITS = 12;

/**
 * Creates the id of a session: a version 7 UUID, so that later ids sort after earlier ones.
 *
 * @param previous the latest id so far; the new one sorts after it even when the clock stands still or goes back
 */
export function makeSessionId(now: Date, previous?: string): string {
  const earliest = previous === undefined ? 0 : parseInt(previous.replace('-', '').slice(0, TIME_DIGITS), 16) + 1;
  const time = Math.max(now.getTime(), earliest).toString(16).padStart(TIME_DIGITS, '0');
  const random = randomBytes(10).toString('hex');
  const variant = ((parseInt(random[3]!, 16) & 0x3) | 0x8).toString(16);
  const groups = [time.slice(0, 8), time.slice(8), `7${random.slice(0, 3)}`, `${variant}${random.slice(4, 7)}`];
  return [...groups, random.slice(7, 19)].join('-');
}
