import { randomBytes } from 'node:crypto';
import type { AgentEvent } from '@bae/core';
import { runTransaction, type Database, type Row } from './database.ts';
import { KeptResults } from './kept-results.ts';
import { openDatabase, type DatabaseOptions } from './open-database.ts';
import {
  isSessionProven,
  readApprovals,
  readSnapshot,
  type ReadSnapshot,
  type RecordedApproval,
} from './read-snapshot.ts';
import { SCHEMA } from './schema.ts';
import {
  countEntries,
  readEntryById,
  readEntriesOf,
  searchEntries,
  toStorable,
  type Entry,
  type SearchOptions,
} from './search-entries.ts';
import { SessionWriter } from './session-writer.ts';
import type { LogEvent, LoggedEvent, NewSession, SessionInfo, SessionParts, SessionStore } from './session-store.ts';
import { makeUnknownSessionError } from './store-error.ts';

/** How a store is opened. */
export interface StoreOptions extends Pick<DatabaseOptions, 'busyMs'> {
  /** Returns the current time. Default: the clock of this machine. */
  readonly now?: () => Date;
  /**
   * Secret of the user: what is written is proven with it, and what is read without that proof is foreign. Default: the
   * file is trusted as it is.
   */
  readonly key?: Uint8Array;
}

const ADD_SESSION = 'INSERT INTO sessions (id, label, started, cwd, meta) VALUES (?, ?, ?, ?, ?)';
const TAKE_OVER = 'UPDATE sessions SET epoch = epoch + 1 WHERE id = ? RETURNING epoch';
const EVENTS_AFTER = 'SELECT seq, time, epoch, body FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?';

/**
 * Sessions in one file: what happened in them, how to resume them, and a search through them.
 *
 * Data is on disk when a method returns. Several stores, of one process or many, may be open on one file. Every
 * method throws a `StoreError` when the file cannot be read or written.
 */
export class Store implements SessionStore {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #key: Uint8Array | undefined;

  private constructor(database: Database, { now = () => new Date(), key }: StoreOptions) {
    this.#database = database;
    this.#now = now;
    this.#key = key;
  }

  /**
   * Opens a store, or makes one.
   *
   * @param file path of the database; folders above it are made
   * @throws StoreError when the file is something else, was made by a newer bae, or cannot be used
   */
  static open(file: string, { now, key, ...options }: StoreOptions = {}): Store {
    return new Store(openDatabase(file, { ...options, steps: SCHEMA }), { ...(now && { now }), ...(key && { key }) });
  }

  /** Absolute path of the database. */
  get file(): string {
    return this.#database.file;
  }

  /** Starts a session and returns its id; ids sort by age. */
  createSession({ label = '1', cwd = '', meta = {} }: NewSession = {}): string {
    const now = this.#now();
    return runTransaction(this.#database, () => {
      const latest = this.#database.get('SELECT max(id) AS id FROM sessions')?.['id'];
      const id = makeSessionId(now, typeof latest === 'string' ? latest : undefined);
      const values = [id, toStorable(label), now.getTime(), toStorable(cwd), JSON.stringify(meta)];
      this.#database.run(ADD_SESSION, ...values);
      return id;
    });
  }

  /** The newest sessions, newest first. Default: 20. */
  sessions(limit = 20): readonly SessionInfo[] {
    return this.#database.all('SELECT * FROM sessions ORDER BY id DESC LIMIT ?', limit).map(toSessionInfo);
  }

  takeOver(session: string): number {
    const row = runTransaction(this.#database, () => this.#database.get(TAKE_OVER, session));
    if (row === undefined) throw makeUnknownSessionError(session);
    return Number(row['epoch']);
  }

  /** Writes a session, for `createAgent({ log })`; with an epoch, only as long as nobody else takes over. */
  log(session: string, epoch?: number): SessionWriter {
    this.#check(session);
    return new SessionWriter(this.#database, session, { now: this.#now, key: this.#key, epoch });
  }

  /** Keeps whole results of a session, for `createAgent({ results })`; numbering continues after a restart. */
  results(session: string, epoch?: number): KeptResults {
    this.#check(session);
    return new KeptResults(this.#database, session, { now: this.#now, epoch });
  }

  openSession(session: string, epoch?: number): SessionParts {
    const resume = this.snapshot(session);
    const parts = { log: this.log(session, epoch), results: this.results(session, epoch) };
    return resume.messages.length === 0 ? parts : { ...parts, resume };
  }

  append(session: string, event: LogEvent, epoch?: number): number {
    const writer = new SessionWriter(this.#database, session, { now: this.#now, key: this.#key, epoch });
    // The log keeps an event of any type; what it does not know, it only keeps.
    return writer.write(event as AgentEvent);
  }

  /** A session as it was last written, for `createAgent({ resume })`; `isForeign` when it has no proof. */
  snapshot(session: string): ReadSnapshot {
    return readSnapshot(this.#database, session, this.#key);
  }

  /** The latest decisions about calls, newest first, of one session or of all. Default: 100. */
  approvals(options: { readonly session?: string; readonly limit?: number } = {}): readonly RecordedApproval[] {
    return readApprovals(this.#database, options.session, options.limit ?? 100);
  }

  /** True when a session was written with the user's key alone; undefined without a key. */
  isProven(session: string): boolean | undefined {
    return this.#key && isSessionProven(this.#database, session, this.#key);
  }

  /** Everything that happened in a session, in order. */
  events(session: string): readonly AgentEvent[] {
    this.#check(session);
    const rows = this.#database.all('SELECT body FROM events WHERE session = ? ORDER BY seq', session);
    return rows.map((row) => JSON.parse(String(row['body'])) as AgentEvent);
  }

  eventsAfter(session: string, after: number, limit: number): readonly LoggedEvent[] {
    this.#check(session);
    return this.#database.all(EVENTS_AFTER, session, after, limit).map((row) => ({
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

  /** Prompts, answers and outputs of a session in their order. Default: the first 40. */
  entries(session: string, options: { readonly from?: number; readonly limit?: number } = {}): readonly Entry[] {
    this.#check(session);
    return readEntriesOf(this.#database, session, options);
  }

  entry(id: number): Entry | undefined {
    return readEntryById(this.#database, id);
  }

  /** How many entries there are, by session. */
  countEntries(): ReadonlyMap<string, number> {
    return countEntries(this.#database);
  }

  /** Finds prompts, answers and outputs with every word of a text, best first; without words, the latest. */
  search(text: string, options: SearchOptions = {}): readonly Entry[] {
    return searchEntries(this.#database, text, options);
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

/** A line of a list, of its row. */
export function toSessionInfo(row: Row): SessionInfo {
  return {
    id: String(row['id']),
    label: String(row['label']),
    started: new Date(Number(row['started'])),
    cwd: String(row['cwd']),
    meta: JSON.parse(String(row['meta'])) as SessionInfo['meta'],
    turns: Number(row['last_turn']),
    messages: Number(row['messages']),
    calls: Number(row['last_call']),
    ...(row['prompt'] !== null && { prompt: String(row['prompt']) }),
  };
}

/** Hexadecimal digits of an id that hold its time: 48 bits of milliseconds. */
const TIME_DIGITS = 12;

/**
 * Makes the id of a session: a UUID of version 7, so that later ids sort after earlier ones.
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
