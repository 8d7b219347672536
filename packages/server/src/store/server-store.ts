import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { LoggedEvent, Question, Reply, Session, SessionEvent, SessionState, Spending } from '@bae/client';
import {
  FencedError,
  forgetInTables,
  openSqlDatabase,
  Store,
  StoreError,
  type ForgetReport,
  type SessionMemory,
  type SessionParts,
  type SessionStore,
  type SqlDatabase,
  type SqlQueries,
} from '@bae/store';
import { ApiError } from '../http/api-error.ts';
import type {
  AuditEntry,
  KeptQuestion,
  NewServedSession,
  QueuedPrompt,
  ServerStore,
  TakenPrompt,
  Token,
} from '../ports.ts';
import { readPromptRow, toSession, toSums, toToken, SERVER_TABLES } from './server-tables.ts';

/** The databases in which a server stores its data. */
export interface ServerStoreParts {
  readonly sessions: SessionStore;
  /** A database with the `SERVER_TABLES`. */
  readonly database: SqlDatabase;
  readonly now?: () => Date;
}

/**
 * Opens two SQLite files in one folder: `sessions.db` has the events of the sessions, `server.db` everything else.
 *
 * @param options key: proves that sessions were written by this server; without one the files are trusted as they are
 * @throws StoreError when a file cannot be used
 */
export function openFileStore(
  folder: string,
  { key, now = () => new Date() }: { readonly key?: Uint8Array; readonly now?: () => Date } = {},
): SqlServerStore {
  const sessions = Store.open(join(folder, 'sessions.db'), { now, ...(key && { key }) });
  const database = openSqlDatabase(join(folder, 'server.db'), { steps: SERVER_TABLES });
  return new SqlServerStore({ sessions, database, now });
}

/** Columns with texts of people and models; tokens are left as they are. */
const TEXTS = { served_sessions: ['body'], prompts: ['text'], questions: ['body', 'reply'], audit: ['body'] };

/**
 * Removes a text from the two files of `openFileStore`, as `Store.forget` does.
 *
 * @returns also the number of rows of `server.db`: `rows`
 */
export function forgetInFileStore(
  folder: string,
  text: string,
  { key }: { readonly key?: Uint8Array } = {},
): ForgetReport & { readonly rows: number } {
  const report = Store.forget(join(folder, 'sessions.db'), text, { ...(key && { key }) });
  return { ...report, rows: forgetInTables(join(folder, 'server.db'), text, TEXTS) };
}

const SESSION = `
  SELECT served_sessions.*, tokens, dollars, minutes, calls
  FROM served_sessions LEFT JOIN spending ON subject = served_sessions.id`;
const TAKE_NEXT = `
  UPDATE prompts SET
    state = CASE state WHEN 'ending' THEN state ELSE 'working' END, tries = tries + 1,
    taken_at = CASE tries WHEN 0 THEN $2 ELSE taken_at END
  WHERE id = (
    SELECT id FROM prompts WHERE session = $1 AND state <> 'done'
    ORDER BY CASE state WHEN 'queued' THEN 1 ELSE 0 END, number LIMIT 1
  ) RETURNING *`;
/** One statement, so that a worker that is cut off never holds the row of a token, which all its sessions need. */
const ADD_SPENDING = `
  INSERT INTO spending (subject, tokens, dollars, minutes, calls) VALUES
    ($1, $2, $3, $4, $5), ((SELECT 'token:' || owner FROM served_sessions WHERE id = $1), $2, $3, $4, $5)
  ON CONFLICT (subject) DO UPDATE SET
    tokens = spending.tokens + excluded.tokens, dollars = spending.dollars + excluded.dollars,
    minutes = spending.minutes + excluded.minutes, calls = spending.calls + excluded.calls
  RETURNING *`;
const READ_SPENDING = `
  SELECT * FROM spending
  WHERE subject IN ($1, (SELECT 'token:' || owner FROM served_sessions WHERE id = $1))`;

/** Reads the index of unfinished prompts only, whatever the number of sessions. */
const COUNT_UNFINISHED = `
  SELECT count(*) AS sessions, coalesce(sum(is_running), 0) AS running FROM (
    SELECT max(CASE state WHEN 'working' THEN 1 ELSE 0 END) AS is_running
    FROM prompts WHERE state <> 'done' GROUP BY session
  ) AS unfinished`;

/** Stores the data of a server in tables of SQLite or PostgreSQL, next to the sessions. */
export class SqlServerStore implements ServerStore {
  readonly #sessions: SessionStore;
  readonly #database: SqlDatabase;
  readonly #now: () => Date;
  #audited = 0;

  constructor({ sessions, database, now = () => new Date() }: ServerStoreParts) {
    this.#sessions = sessions;
    this.#database = database;
    this.#now = now;
  }

  async createSession(session: NewServedSession): Promise<Session> {
    const id = await this.#sessions.createSession({ cwd: namePlace(session) });
    const sql = 'INSERT INTO served_sessions (id, owner, created, state, body) VALUES ($1, $2, $3, $4, $5)';
    await this.#database.run(sql, id, session.owner, this.#now().getTime(), 'idle', JSON.stringify(session));
    return (await this.readSession(id))!;
  }

  async readSession(id: string): Promise<Session | undefined> {
    const row = await this.#database.get(`${SESSION} WHERE served_sessions.id = $1`, id);
    return row && toSession(row);
  }

  async listSessions({ owners, limit, before = '~' }: Parameters<ServerStore['listSessions']>[0]): Promise<Session[]> {
    if (owners.length === 0) return [];
    const places = owners.map((_, index) => `$${index + 3}`).join(', ');
    const sql = `${SESSION} WHERE owner IN (${places}) AND id < $1 ORDER BY id DESC LIMIT $2`;
    return (await this.#database.all(sql, before, limit, ...owners)).map(toSession);
  }

  async setState(session: string, state: SessionState, epoch: number): Promise<void> {
    const sql = 'UPDATE served_sessions SET state = $1 WHERE id = $2 AND epoch = $3';
    if ((await this.#database.run(sql, state, session, epoch)) === 0) throw new FencedError(session);
  }

  async append(session: string, event: SessionEvent, epoch?: number): Promise<number> {
    return this.#sessions.append(session, event, epoch);
  }

  async readEvents(session: string, after: number, limit: number): Promise<readonly LoggedEvent[]> {
    const events = await this.#sessions.eventsAfter(session, after, limit);
    return events.map(({ seq, time, event }) => ({ seq, time: time.toISOString(), event }));
  }

  async readEnd(session: string): Promise<number> {
    return this.#sessions.endOf(session);
  }

  async openLog(session: string, epoch: number): Promise<SessionParts> {
    return this.#sessions.openSession(session, epoch);
  }

  openMemory(session: Session): { readonly store: SessionMemory; readonly cwd: string } {
    return { store: this.#sessions, cwd: namePlace(session) };
  }

  async addPrompt(session: string, { text, key }: Parameters<ServerStore['addPrompt']>[1]) {
    return this.#database.transaction(async (queries) => {
      // First, so that the prompts of a session are added one after the other.
      const number = await countOn(queries, session);
      const same = 'SELECT * FROM prompts WHERE session = $1 AND key = $2';
      const known = key === undefined ? undefined : await queries.get(same, session, key);
      if (known !== undefined) {
        const prompt = readPromptRow(known);
        if (prompt.text === text) return { ...prompt, isNew: false };
        throw new ApiError('conflict', 'Idempotency-Key: a prompt with another text was sent with this key.', {
          hint: 'use a new key for each prompt',
        });
      }
      const sql = `
        INSERT INTO prompts (id, session, number, key, text, state) VALUES ($1, $2, $3, $4, $5, 'queued') RETURNING *`;
      const row = await queries.get(sql, randomUUID(), session, number, key ?? null, JSON.stringify(text));
      await queries.run("UPDATE served_sessions SET state = 'queued' WHERE id = $1 AND state = 'idle'", session);
      return { ...readPromptRow(row!), isNew: true };
    });
  }

  async countWaiting(session: string): Promise<number> {
    const sql = "SELECT count(*) AS count FROM prompts WHERE session = $1 AND state = 'queued'";
    return Number((await this.#database.get(sql, session))!['count']);
  }

  async takePrompt(session: string): Promise<TakenPrompt | undefined> {
    // From here on, no other worker can write to the log.
    const epoch = await this.#sessions.takeOver(session);
    const end = await this.#sessions.endOf(session);
    return this.#database.transaction(async (queries) => {
      const take = 'UPDATE served_sessions SET epoch = $2 WHERE id = $1 AND epoch < $2';
      if ((await queries.run(take, session, epoch)) === 0) throw new FencedError(session);
      const row = await queries.get(TAKE_NEXT, session, end);
      const state = row === undefined ? 'idle' : 'working';
      await queries.run('UPDATE served_sessions SET state = $1 WHERE id = $2', state, session);
      return row && { ...readPromptRow(row), epoch };
    });
  }

  async endPrompt(prompt: TakenPrompt, outcome: string): Promise<void> {
    await this.#change(prompt, { state: 'ending', outcome });
  }

  async closePrompt(prompt: TakenPrompt & { readonly outcome: string }): Promise<void> {
    await this.#change(prompt, { state: 'done', outcome: prompt.outcome });
  }

  async readPrompt(id: string): Promise<QueuedPrompt | undefined> {
    const row = await this.#database.get('SELECT * FROM prompts WHERE id = $1', id);
    return row && readPromptRow(row);
  }

  async requestCancel(session: string): Promise<number> {
    return this.#database.transaction(async (queries) => {
      // First, as in all transactions, so that two of them never wait for each other.
      await countOn(queries, session);
      // The next worker of the session announces their end in the log.
      const waiting = `UPDATE prompts SET state = 'ending', outcome = 'aborted' WHERE session = $1 AND state = 'queued'`;
      const running = `UPDATE prompts SET cancelled = 1 WHERE session = $1 AND state = 'working'`;
      const idle = `UPDATE served_sessions SET state = 'idle' WHERE id = $1 AND state = 'queued'`;
      const count = (await queries.run(waiting, session)) + (await queries.run(running, session));
      await queries.run(idle, session);
      return count;
    });
  }

  async isCancelled(prompt: string): Promise<boolean> {
    const row = await this.#database.get('SELECT cancelled FROM prompts WHERE id = $1', prompt);
    return row?.['cancelled'] === 1;
  }

  async listUnfinished(): Promise<readonly string[]> {
    const rows = await this.#database.all("SELECT DISTINCT session FROM prompts WHERE state <> 'done'");
    return rows.map((row) => String(row['session']));
  }

  async countUnfinished() {
    const row = (await this.#database.get(COUNT_UNFINISHED))!;
    const running = Number(row['running']);
    return { waiting: Number(row['sessions']) - running, running };
  }

  async addQuestion(session: string, question: Question): Promise<void> {
    await this.#database.transaction(async (queries) => {
      const number = await countOn(queries, session);
      const sql = 'INSERT INTO questions (id, session, number, body) VALUES ($1, $2, $3, $4)';
      await queries.run(sql, question.id, session, number, JSON.stringify(question));
    });
  }

  async readQuestion(id: string): Promise<KeptQuestion | undefined> {
    const row = await this.#database.get('SELECT * FROM questions WHERE id = $1', id);
    if (row === undefined) return undefined;
    return {
      question: JSON.parse(String(row['body'])) as Question,
      session: String(row['session']),
      ...(row['reply'] !== null && { reply: JSON.parse(String(row['reply'])) as Reply }),
      isClosed: row['closed'] === 1,
    };
  }

  async listQuestions(session: string): Promise<readonly Question[]> {
    const sql = 'SELECT body FROM questions WHERE session = $1 AND closed = 0 AND reply IS NULL ORDER BY number';
    return (await this.#database.all(sql, session)).map((row) => JSON.parse(String(row['body'])) as Question);
  }

  async listOpenQuestions(session: string): Promise<readonly Question[]> {
    const sql = 'SELECT body FROM questions WHERE session = $1 AND closed = 0 ORDER BY number';
    return (await this.#database.all(sql, session)).map((row) => JSON.parse(String(row['body'])) as Question);
  }

  async addReply(question: string, reply: Reply, by: string): Promise<boolean> {
    const sql = 'UPDATE questions SET reply = $1, replied_by = $2 WHERE id = $3 AND closed = 0 AND reply IS NULL';
    return (await this.#database.run(sql, JSON.stringify(reply), by, question)) > 0;
  }

  async closeQuestion(id: string, worker: Parameters<ServerStore['closeQuestion']>[1]): Promise<Reply | undefined> {
    const row = await this.#database.transaction(async (queries) => {
      // Its successor may wait for the reply to the same question.
      await holdSession(queries, worker);
      return queries.get('UPDATE questions SET closed = 1 WHERE id = $1 RETURNING reply', id);
    });
    const reply = row?.['reply'] ?? null;
    return reply === null ? undefined : (JSON.parse(String(reply)) as Reply);
  }

  async addToken(token: Token): Promise<void> {
    const sql = 'INSERT INTO tokens (id, name, created, expires, revoked, body) VALUES ($1, $2, $3, $4, NULL, $5)';
    const { created, expires, ...body } = token;
    const values = [token.id, token.name, created.getTime(), expires?.getTime() ?? null, JSON.stringify(body)];
    await this.#database.run(sql, ...values);
  }

  async findToken(id: string): Promise<Token | undefined> {
    const row = await this.#database.get('SELECT * FROM tokens WHERE id = $1', id);
    return row && toToken(row);
  }

  async listTokens(): Promise<readonly Token[]> {
    return (await this.#database.all('SELECT * FROM tokens ORDER BY created, id')).map(toToken);
  }

  async noteTokenUse(id: string, at: Date): Promise<void> {
    await this.#database.run('UPDATE tokens SET used = $1 WHERE id = $2', at.getTime(), id);
  }

  async revokeToken(name: string, at: Date): Promise<boolean> {
    const sql = 'UPDATE tokens SET revoked = $1 WHERE name = $2 AND revoked IS NULL';
    return (await this.#database.run(sql, at.getTime(), name)) > 0;
  }

  async addSpending(session: string, { tokens, dollars, minutes, calls }: Spending) {
    return toSums(session, await this.#database.all(ADD_SPENDING, session, tokens, dollars, minutes, calls));
  }

  async readSpending(session: string) {
    return toSums(session, await this.#database.all(READ_SPENDING, session));
  }

  async addAudit({ time, ...entry }: AuditEntry): Promise<void> {
    const sql = 'INSERT INTO audit (id, time, number, body) VALUES ($1, $2, $3, $4)';
    await this.#database.run(sql, randomUUID(), time.getTime(), ++this.#audited, JSON.stringify(entry));
  }

  async readAudit(limit: number): Promise<readonly AuditEntry[]> {
    const rows = await this.#database.all('SELECT * FROM audit ORDER BY time DESC, number DESC LIMIT $1', limit);
    return rows.map((row) => ({
      ...(JSON.parse(String(row['body'])) as Omit<AuditEntry, 'time'>),
      time: new Date(Number(row['time'])),
    }));
  }

  async check(): Promise<void> {
    await this.#database.get('SELECT count(*) FROM tokens');
    await this.#sessions.sessions(1);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    await this.#database.close();
  }

  async #change(prompt: TakenPrompt, to: { state: string; outcome: string }): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await holdSession(queries, prompt);
      await queries.run('UPDATE prompts SET state = $1, outcome = $2 WHERE id = $3', to.state, to.outcome, prompt.id);
    });
  }
}

/** Checks the epoch of a worker, and makes another one that takes over wait until this transaction ends. */
async function holdSession(queries: SqlQueries, { session, epoch }: Pick<TakenPrompt, 'session' | 'epoch'>) {
  const sql = 'UPDATE served_sessions SET epoch = epoch WHERE id = $1 AND epoch = $2';
  if ((await queries.run(sql, session, epoch)) === 0) throw new FencedError(session);
}

/** Names the place whose sessions remember each other: a workspace of one token. Names of tokens have no colon. */
function namePlace({ owner, workspace }: Pick<Session, 'owner' | 'workspace'>): string {
  if (workspace.type === 'none') return `${owner}:none`;
  return `${owner}:${workspace.type}:${workspace.type === 'folder' ? workspace.name : workspace.repository}`;
}

/**
 * Returns the number of the next prompt or question of a session; other transactions of the session wait until this one
 * is over.
 */
async function countOn(queries: SqlQueries, session: string): Promise<number> {
  const row = await queries.get('UPDATE served_sessions SET last = last + 1 WHERE id = $1 RETURNING last', session);
  if (row === undefined) throw new StoreError(`no session '${session.slice(0, 60)}'.`, ['GET /v1/sessions']);
  return Number(row['last']);
}
