import type { AgentEvent } from '@bae/core';
import type {
  Entry,
  EntryFilter,
  EntrySearchOptions,
  LogEvent,
  LoggedEvent,
  NewSession,
  RecordedApproval,
  SessionInfo,
  SessionParts,
  SessionStore,
  TagChange,
} from '@bae/store';
import {
  isProven,
  isSignedResult,
  makeSessionId,
  makeSnapshot,
  makeUnknownSessionError,
  readRecords,
  signSession,
  toApproval,
  toSearchEntry,
  toSessionInfo,
  toStorable,
  type Row,
  parseWordSearch,
} from '@bae/store/backend';
import type { Connections } from './connections.ts';
import { HANDLE, PendingResults, PostgresWriter } from './session-writer.ts';

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

const ADD_SESSION = 'INSERT INTO sessions (id, label, started, cwd, meta, mac) VALUES ($1, $2, $3, $4, $5, $6)';
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
const SESSIONS = 'SELECT * FROM sessions WHERE $1::text IS NULL OR cwd = $1 ORDER BY id DESC LIMIT $2';
const NEIGHBOURS = `
  SELECT (SELECT max(id) FROM entries WHERE session = $1 AND id < $2) AS previous,
    (SELECT min(id) FROM entries WHERE session = $1 AND id > $2) AS next`;
const COUNT_TAGS = `
  SELECT tag, count(*) AS count FROM tags JOIN entries ON entries.id = entry JOIN sessions ON sessions.id = session
  WHERE $1::text IS NULL OR cwd = $1 GROUP BY tag ORDER BY tag`;
const CHANGE_TAGS = `
  WITH removed AS (DELETE FROM tags WHERE entry = $1 AND tag = ANY ($3::text[]))
  INSERT INTO tags SELECT $1, tag FROM unnest($2::text[]) AS one (tag) ON CONFLICT DO NOTHING`;
/** More matches are not counted. */
const MOST_COUNTED = 10_000;

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
      const [name, folder, rest, started] = [toStorable(label), toStorable(cwd), JSON.stringify(meta), now.getTime()];
      const start = { id, label: name, started, cwd: folder, meta: rest };
      const mac = this.#key === undefined ? null : signSession(this.#key, start);
      await client.query(ADD_SESSION, [id, name, started, folder, rest, mac]);
      return id;
    });
  }

  async sessions(limit = 20, cwd?: string): Promise<readonly SessionInfo[]> {
    return (await this.#all(SESSIONS, cwd ?? null, limit)).map((row) => toSessionInfo(row, this.#key && [this.#key]));
  }

  async takeOver(session: string): Promise<number> {
    return Number((await this.#get(session, TAKE_OVER))['epoch']);
  }

  async openSession(session: string, epoch?: number): Promise<SessionParts> {
    const row = await this.#get(session, 'SELECT * FROM sessions WHERE id = $1');
    const recorded = readRecords({ session: row, rows: await this.#all(RECORDS, session), key: this.#key });
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
    session: string | EntryFilter,
    { from = 0, limit = 40 }: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<readonly Entry[]> {
    const filter = typeof session === 'string' ? { session } : session;
    return this.#readEntries(selectEntries(filter), 'id', limit, from);
  }

  async entry(id: number): Promise<Entry | undefined> {
    const [row] = await this.#all('SELECT * FROM entries WHERE id = $1', id);
    return row && toSearchEntry(row, this.#key);
  }

  async neighbours({ id, session }: Entry): Promise<{ readonly previous?: number; readonly next?: number }> {
    const [row] = await this.#all(NEIGHBOURS, session, id);
    const { previous = null, next = null } = row ?? {};
    return { ...(previous !== null && { previous: Number(previous) }), ...(next !== null && { next: Number(next) }) };
  }

  async search(text: string, { limit = 20, ...filter }: EntrySearchOptions = {}): Promise<readonly Entry[]> {
    const selection = selectEntries(filter, text);
    return this.#readEntries(selection, `${selection.best}id DESC`, Math.max(0, Math.trunc(limit)));
  }

  async countMatches(text: string, { limit = MOST_COUNTED, ...filter }: EntrySearchOptions = {}): Promise<number> {
    const { where, values } = selectEntries(filter, text);
    const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM entries WHERE ${where} LIMIT $${values.length + 1}) AS found`;
    return Number((await this.#all(sql, ...values, limit))[0]?.['count']);
  }

  async tags(cwd?: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#all(COUNT_TAGS, cwd ?? null);
    return new Map(rows.map((row) => [String(row['tag']), Number(row['count'])]));
  }

  async tagsOf(entry: number): Promise<readonly string[]> {
    return (await this.#all('SELECT tag FROM tags WHERE entry = $1 ORDER BY tag', entry)).map((row) =>
      String(row['tag']),
    );
  }

  async tag(entry: number, { add = [], remove = [] }: TagChange): Promise<void> {
    await this.#all(CHANGE_TAGS, entry, [...new Set(add.map(toStorable))], remove);
  }

  async keptResult(session: string, ref: string): Promise<string | undefined> {
    const number = Number(HANDLE.exec(ref)?.[1] ?? 0);
    const [row] = await this.#all('SELECT body, mac FROM results WHERE session = $1 AND number = $2', session, number);
    if (row === undefined) return undefined;
    const kept = { session, seq: number, body: String(row['body']), mac: row['mac'] };
    const isForeign = this.#key !== undefined && !isSignedResult(this.#key, kept);
    return isForeign ? undefined : (JSON.parse(kept.body) as string);
  }

  /** Does nothing: the caller that opened the connections closes them. */
  async close(): Promise<void> {}

  #writer(session: string, { epoch, results }: { epoch?: number | undefined; results?: PendingResults }) {
    const options = { session, epoch, now: this.#now, key: this.#key };
    return new PostgresWriter(this.#connections, options, results);
  }

  async #readEntries(
    { where, values }: EntrySelection,
    order: string,
    ...[limit, offset = 0]: readonly [number, number?]
  ): Promise<readonly Entry[]> {
    const places = [values.length + 1, values.length + 2];
    const sql = `SELECT * FROM entries WHERE ${where} ORDER BY ${order} LIMIT $${places[0]} OFFSET $${places[1]}`;
    return (await this.#all(sql, ...values, limit, offset)).map((row) => toSearchEntry(row, this.#key));
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

/** The conditions of a query for entries. */
interface EntrySelection {
  readonly where: string;
  /** Values of the placeholders so far. */
  readonly values: readonly unknown[];
  /** Puts the best matches first; empty without words. */
  readonly best: string;
}

/** Selects the entries that pass a filter and have every word of a text. */
function selectEntries({ session, cwd, channel, since, tag }: EntryFilter, text = ''): EntrySelection {
  const { query, patterns } = parseWordSearch(text);
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const words = query === '' ? undefined : `to_tsquery('simple', ${bind(query)})`;
  const conditions = [
    words === undefined ? undefined : `words @@ ${words}`,
    ...patterns.map((pattern) => `content ILIKE ${bind(pattern)}`),
    session === undefined ? undefined : `session = ${bind(session)}`,
    cwd === undefined ? undefined : `session IN (SELECT id FROM sessions WHERE cwd = ${bind(cwd)})`,
    channel === undefined ? undefined : `channel = ${bind(channel)}`,
    since === undefined ? undefined : `time >= ${bind(since.getTime())}`,
    tag === undefined ? undefined : `id IN (SELECT entry FROM tags${tag === true ? '' : ` WHERE tag = ${bind(tag)}`})`,
  ];
  return {
    where: ['TRUE', ...conditions.filter((condition) => condition !== undefined)].join(' AND '),
    values,
    best: words === undefined ? '' : `ts_rank(words, ${words}) DESC, `,
  };
}
