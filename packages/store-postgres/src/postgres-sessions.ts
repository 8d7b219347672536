import type { AgentEvent } from '@bae/core';
import type {
  Entry,
  LogEvent,
  LoggedEvent,
  NewSession,
  RecordedApproval,
  SearchOptions,
  SessionInfo,
  SessionParts,
  SessionStore,
} from '@bae/store';
import {
  isProven,
  makeSessionId,
  makeSnapshot,
  makeUnknownSessionError,
  readRecords,
  toApproval,
  toSearchEntry,
  toSessionInfo,
  toStorable,
  type Row,
} from '@bae/store/backend';
import type { Connections } from './connections.ts';
import { PendingResults, PostgresWriter } from './session-writer.ts';
import { parseWordSearch } from './word-search.ts';

/** Options for reading and writing the sessions of a database. */
export interface SessionsOptions {
  /** Returns the current time. Default: the clock of this machine. */
  readonly now?: () => Date;
  /**
   * Secret of the operator: everything written is signed with it, and everything read without that signature is
   * foreign. Default: the database is trusted as it is.
   */
  readonly key?: Uint8Array;
}

const ADD_SESSION = 'INSERT INTO sessions (id, label, started, cwd, meta) VALUES ($1, $2, $3, $4, $5)';
const TAKE_OVER = 'UPDATE sessions SET epoch = epoch + 1 WHERE id = $1 RETURNING epoch';
const RECORDS = 'SELECT seq, body, mac FROM records WHERE session = $1 ORDER BY seq';
const EVENTS_AFTER = 'SELECT seq, time, epoch, body FROM events WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3';
const CALLS_AFTER = `
  SELECT seq, body FROM events
  WHERE session = $1 AND seq > $2 AND type IN ('call-start', 'call-end', 'run-start', 'run-end') ORDER BY seq`;
const LAST_OF_TURN = `
  SELECT type FROM events WHERE session = $1 AND type IN ('turn-start', 'turn-end') ORDER BY seq DESC LIMIT 1`;
const RESULTS = 'SELECT body FROM results WHERE session = $1 ORDER BY number';
const APPROVALS = `
  SELECT session, time, body FROM records WHERE kind = 'approval' AND ($1::text IS NULL OR session = $1)
  ORDER BY session DESC, seq DESC LIMIT $2`;
const ENTRIES = 'SELECT * FROM entries WHERE session = $1 ORDER BY id LIMIT $2 OFFSET $3';

/** Sessions in PostgreSQL, which any number of processes on any number of machines may work on. */
export class PostgresSessions implements SessionStore {
  readonly #connections: Connections;
  readonly #now: () => Date;
  readonly #key: Uint8Array | undefined;

  constructor(connections: Connections, { now = () => new Date(), key }: SessionsOptions = {}) {
    this.#connections = connections;
    this.#now = now;
    this.#key = key;
  }

  async createSession({ label = '1', cwd = '', meta = {} }: NewSession = {}): Promise<string> {
    const now = this.#now();
    return this.#connections.transaction(async (client) => {
      // Makes ids sort by age, even if the clocks of several machines differ.
      await client.query('LOCK TABLE sessions IN SHARE ROW EXCLUSIVE MODE');
      const latest = await client.query<{ id: string | null }>('SELECT max(id) AS id FROM sessions');
      const id = makeSessionId(now, latest.rows[0]?.id ?? undefined);
      const texts = [toStorable(cwd), JSON.stringify(meta)];
      await client.query(ADD_SESSION, [id, toStorable(label), now.getTime(), ...texts]);
      return id;
    });
  }

  async sessions(limit = 20): Promise<readonly SessionInfo[]> {
    return (await this.#all('SELECT * FROM sessions ORDER BY id DESC LIMIT $1', limit)).map((row) =>
      toSessionInfo(row),
    );
  }

  async takeOver(session: string): Promise<number> {
    return Number((await this.#get(session, TAKE_OVER))['epoch']);
  }

  async openSession(session: string, epoch?: number): Promise<SessionParts> {
    const row = await this.#get(session, 'SELECT * FROM sessions WHERE id = $1');
    const recorded = readRecords({ id: session, rows: await this.#all(RECORDS, session), key: this.#key });
    const [calls, lastOfTurn, kept] = await Promise.all([
      this.#all(CALLS_AFTER, session, recorded.sentAt),
      this.#all(LAST_OF_TURN, session),
      this.#all(RESULTS, session),
    ]);
    const isInTurn = lastOfTurn[0]?.['type'] === 'turn-start';
    const resume = makeSnapshot(recorded, { session: row, calls, isInTurn });
    const results = new PendingResults(kept.map(({ body }) => JSON.parse(String(body)) as string));
    const parts = { log: this.#writer(session, { epoch, results }), results };
    return resume.messages.length === 0 ? parts : { ...parts, resume };
  }

  append(session: string, event: LogEvent, epoch?: number): Promise<number> {
    // The log stores events of any type, even unknown ones.
    return this.#writer(session, { epoch }).write(event as AgentEvent);
  }

  async eventsAfter(session: string, after: number, limit: number): Promise<readonly LoggedEvent[]> {
    const rows = await this.#all(EVENTS_AFTER, session, after, limit);
    if (rows.length === 0) await this.endOf(session);
    return rows.map(({ seq, time, epoch, body }) => ({
      seq: Number(seq),
      time: new Date(Number(time)),
      ...(epoch !== null && { epoch: Number(epoch) }),
      event: JSON.parse(String(body)) as AgentEvent,
    }));
  }

  async endOf(session: string): Promise<number> {
    return Number((await this.#get(session, 'SELECT last_seq FROM sessions WHERE id = $1'))['last_seq']);
  }

  async approvals(
    options: { readonly session?: string; readonly limit?: number } = {},
  ): Promise<readonly RecordedApproval[]> {
    return (await this.#all(APPROVALS, options.session ?? null, options.limit ?? 100)).map(toApproval);
  }

  async isProven(session: string): Promise<boolean | undefined> {
    return this.#key && isProven(this.#key, session, await this.#all(RECORDS, session));
  }

  async entries(
    session: string,
    { from = 0, limit = 40 }: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<readonly Entry[]> {
    return (await this.#all(ENTRIES, session, limit, from)).map(toSearchEntry);
  }

  async entry(id: number): Promise<Entry | undefined> {
    const [row] = await this.#all('SELECT * FROM entries WHERE id = $1', id);
    return row && toSearchEntry(row);
  }

  async countEntries(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#all('SELECT session, count(*) AS count FROM entries GROUP BY session');
    return new Map(rows.map((row) => [String(row['session']), Number(row['count'])]));
  }

  async search(text: string, { limit = 20, session }: SearchOptions = {}): Promise<readonly Entry[]> {
    const { query, patterns } = parseWordSearch(text);
    const conditions = ['($2::text IS NULL OR session = $2)', ...patterns.map((_, n) => `content ILIKE $${n + 4}`)];
    if (query !== '') conditions.push(`words @@ to_tsquery('simple', $1)`);
    const order = query === '' ? 'id DESC' : `ts_rank(words, to_tsquery('simple', $1)) DESC, id DESC`;
    const sql = `SELECT * FROM entries WHERE $1::text IS NOT NULL AND ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $3`;
    const most = Math.max(0, Math.trunc(limit));
    return (await this.#all(sql, query, session ?? null, most, ...patterns)).map(toSearchEntry);
  }

  /** Does nothing: the caller that opened the connections closes them. */
  async close(): Promise<void> {}

  #writer(session: string, { epoch, results }: { epoch?: number | undefined; results?: PendingResults }) {
    const options = { session, epoch, now: this.#now, key: this.#key };
    return new PostgresWriter(this.#connections, options, results);
  }

  async #all(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#connections.query(sql, values)).rows as Row[];
  }

  async #get(session: string, sql: string): Promise<Row> {
    const [row] = await this.#all(sql, session);
    if (row === undefined) throw makeUnknownSessionError(session);
    return row;
  }
}
