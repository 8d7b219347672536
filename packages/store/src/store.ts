import type { AgentEvent } from '@bae/core';
import type { Database } from './database.ts';
import { KeptResults } from './kept-results.ts';
import { noSession } from './no-session.ts';
import { openDatabase, type DatabaseOptions } from './open-database.ts';
import { migrate } from './migrate.ts';
import { readSnapshot } from './read-snapshot.ts';
import { SCHEMA } from './schema.ts';
import { searchEntries, type Entry, type SearchOptions } from './search-entries.ts';
import { plainText } from './searchable-text.ts';
import { sessionId } from './session-id.ts';
import { sessionInfo, type NewSession, type SessionInfo } from './session-info.ts';
import type { SessionSnapshot } from './session-record.ts';
import { SessionWriter } from './session-writer.ts';
import { transaction } from './transaction.ts';

/** How a store is opened. */
export interface StoreOptions extends DatabaseOptions {
  /** Tells the time. Default: the clock of this machine. */
  readonly now?: () => Date;
}

const ADD_SESSION = 'INSERT INTO sessions (id, label, started, cwd, meta) VALUES (?, ?, ?, ?, ?)';

/**
 * Sessions in one file: what happened in them, how to go on with them, and what was said.
 *
 * Everything it was given is on disk when a method returns. Several stores, of one process or many, may
 * be open on one file. Every method throws a `StoreError` when the file cannot be read or written.
 */
export class Store {
  private constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /**
   * Opens a store, or makes one.
   *
   * @param file path of the database; folders above it are made
   * @throws StoreError when the file is something else, was made by a newer bae, or cannot be used
   */
  static open(file: string, { now = () => new Date(), ...options }: StoreOptions = {}): Store {
    const database = openDatabase(file, options);
    try {
      migrate(database, SCHEMA);
    } catch (error) {
      database.close();
      throw error;
    }
    return new Store(database, now);
  }

  /** Absolute path of the database. */
  get file(): string {
    return this.database.file;
  }

  /** Starts a session and returns its id; ids sort by age. */
  createSession({ label = '1', cwd = '', meta = {} }: NewSession = {}): string {
    const now = this.now();
    return transaction(this.database, () => {
      const latest = this.database.get('SELECT max(id) AS id FROM sessions')?.['id'];
      const id = sessionId(now, typeof latest === 'string' ? latest : undefined);
      this.database.run(ADD_SESSION, id, plainText(label), now.getTime(), plainText(cwd), JSON.stringify(meta));
      return id;
    });
  }

  /** The newest sessions, newest first. Default: 20. */
  sessions(limit = 20): readonly SessionInfo[] {
    return this.database.all('SELECT * FROM sessions ORDER BY id DESC LIMIT ?', limit).map(sessionInfo);
  }

  /** Where a session is written down, for `createAgent({ log })`. */
  log(session: string): SessionWriter {
    this.check(session);
    return new SessionWriter(this.database, session, this.now);
  }

  /** Where whole results of a session are kept, for `createAgent({ results })`; numbers go on after a restart. */
  results(session: string): KeptResults {
    this.check(session);
    return new KeptResults(this.database, session, this.now);
  }

  /** A session as it was when it was last written down, for `createAgent({ resume })`. */
  snapshot(session: string): SessionSnapshot {
    return readSnapshot(this.database, session);
  }

  /** Everything that happened in a session, in order. */
  events(session: string): readonly AgentEvent[] {
    this.check(session);
    const rows = this.database.all('SELECT body FROM events WHERE session = ? ORDER BY seq', session);
    return rows.map((row) => JSON.parse(String(row['body'])) as AgentEvent);
  }

  /**
   * Prompts, answers and outputs that hold every word of a text, best first. The last word may be a
   * beginning. A text without words gives the latest, newest first.
   */
  search(text: string, options: SearchOptions = {}): readonly Entry[] {
    return searchEntries(this.database, text, options);
  }

  /** Lets go of the file. Called once or more. */
  close(): void {
    this.database.close();
  }

  private check(session: string): void {
    if (this.database.get('SELECT 1 FROM sessions WHERE id = ?', session) === undefined) throw noSession(session);
  }
}
