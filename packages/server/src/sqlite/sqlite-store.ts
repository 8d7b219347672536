import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AgentEvent, AgentOptions } from '@bae/core';
import type { LoggedEvent, Prompt, Question, Reply, Session, SessionEvent, SessionState, Spending } from '@bae/client';
import { openDatabase, runTransaction, Store, type Database, type Row } from '@bae/store';
import type { AuditEntry, KeptQuestion, NewServedSession, QueuedPrompt, ServerStore, Token } from '../ports.ts';
import { SERVER_TABLES } from './server-tables.ts';

interface SqliteStoreOptions {
  /** Proves that sessions were written by this server. Default: the files are trusted as they are. */
  readonly key?: Uint8Array;
  readonly now?: () => Date;
}

/** Keeps a server's data in two SQLite files of one folder: `sessions.db` has what happened, `server.db` the rest. */
export class SqliteServerStore implements ServerStore {
  readonly #sessions: Store;
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #writers = new Map<string, ReturnType<Store['log']>>();

  /** @throws StoreError when a file cannot be used */
  constructor(folder: string, { key, now = () => new Date() }: SqliteStoreOptions = {}) {
    this.#sessions = Store.open(join(folder, 'sessions.db'), { now, ...(key && { key }) });
    this.#database = openDatabase(join(folder, 'server.db'), { steps: SERVER_TABLES });
    this.#now = now;
  }

  async createSession(session: NewServedSession): Promise<Session> {
    const id = this.#sessions.createSession();
    const sql = 'INSERT INTO sessions (id, owner, created, state, body) VALUES (?, ?, ?, ?, ?)';
    this.#database.run(sql, id, session.owner, this.#now().getTime(), 'idle', JSON.stringify(session));
    return (await this.readSession(id))!;
  }

  async readSession(id: string): Promise<Session | undefined> {
    const row = this.#database.get('SELECT * FROM sessions WHERE id = ?', id);
    return row && this.#toSession(row);
  }

  async listSessions({ owners, limit, before = '~' }: Parameters<ServerStore['listSessions']>[0]): Promise<Session[]> {
    const places = owners.map(() => '?').join(', ');
    const sql = `SELECT * FROM sessions WHERE owner IN (${places}) AND id < ? ORDER BY id DESC LIMIT ?`;
    return this.#database.all(sql, ...owners, before, limit).map((row) => this.#toSession(row));
  }

  async setState(session: string, state: SessionState): Promise<void> {
    this.#database.run('UPDATE sessions SET state = ? WHERE id = ?', state, session);
  }

  async append(session: string, event: SessionEvent): Promise<number> {
    // The log keeps any event of this form; what is only the server's is nothing that an agent reads again.
    this.#writer(session).append(event as AgentEvent);
    return this.#sessions.endOf(session);
  }

  async readEvents(session: string, after: number, limit: number): Promise<readonly LoggedEvent[]> {
    const events = this.#sessions.eventsAfter(session, after, limit);
    return events.map(({ seq, time, event }) => ({ seq, time: time.toISOString(), event }));
  }

  async readEnd(session: string): Promise<number> {
    return this.#sessions.endOf(session);
  }

  async openLog(session: string): Promise<Pick<AgentOptions, 'log' | 'results' | 'resume'>> {
    const { isForeign: _, ...snapshot } = this.#sessions.snapshot(session);
    return {
      log: this.#writer(session),
      results: this.#sessions.results(session),
      ...(snapshot.messages.length > 0 && { resume: snapshot }),
    };
  }

  async addPrompt(session: string, { text, key }: Parameters<ServerStore['addPrompt']>[1]) {
    return runTransaction(this.#database, () => {
      const known =
        key === undefined
          ? undefined
          : this.#database.get('SELECT * FROM prompts WHERE session = ? AND key = ?', session, key);
      if (known !== undefined) return { ...readPromptRow(known), isNew: false };
      const sql = "INSERT INTO prompts (id, session, key, text, state) VALUES (?, ?, ?, ?, 'queued') RETURNING *";
      const row = this.#database.get(sql, randomUUID(), session, key ?? null, text)!;
      this.#database.run("UPDATE sessions SET state = 'queued' WHERE id = ? AND state = 'idle'", session);
      return { ...readPromptRow(row), isNew: true };
    });
  }

  async countWaiting(session: string): Promise<number> {
    const sql = "SELECT count(*) AS count FROM prompts WHERE session = ? AND state = 'queued'";
    return Number(this.#database.get(sql, session)!['count']);
  }

  async takePrompt(session: string): Promise<QueuedPrompt | undefined> {
    const end = this.#sessions.endOf(session);
    return runTransaction(this.#database, () => {
      const next = `SELECT number FROM prompts WHERE session = ? AND state <> 'done'
        ORDER BY state = 'working' DESC, number LIMIT 1`;
      const row = this.#database.get(
        `UPDATE prompts SET state = 'working', tries = tries + 1,
          taken_at = CASE taken_at WHEN 0 THEN ? ELSE taken_at END
        WHERE number = (${next}) RETURNING *`,
        end,
        session,
      );
      this.#database.run('UPDATE sessions SET state = ? WHERE id = ?', row === undefined ? 'idle' : 'working', session);
      return row && readPromptRow(row);
    });
  }

  async endPrompt(id: string, outcome: string): Promise<void> {
    this.#database.run("UPDATE prompts SET state = 'done', outcome = ? WHERE id = ?", outcome, id);
  }

  async readPrompt(id: string): Promise<QueuedPrompt | undefined> {
    const row = this.#database.get('SELECT * FROM prompts WHERE id = ?', id);
    return row && readPromptRow(row);
  }

  async requestCancel(session: string): Promise<number> {
    return runTransaction(this.#database, () => {
      const waiting = `UPDATE prompts SET state = 'done', outcome = 'aborted' WHERE session = ? AND state = 'queued'`;
      const running = `UPDATE prompts SET cancelled = 1 WHERE session = ? AND state = 'working'`;
      const idle = `UPDATE sessions SET state = 'idle' WHERE id = ? AND state = 'queued'`;
      const count = this.#database.run(waiting, session) + this.#database.run(running, session);
      this.#database.run(idle, session);
      return count;
    });
  }

  async isCancelled(prompt: string): Promise<boolean> {
    return this.#database.get('SELECT cancelled FROM prompts WHERE id = ?', prompt)?.['cancelled'] === 1;
  }

  async listUnfinished(): Promise<readonly string[]> {
    const rows = this.#database.all("SELECT DISTINCT session FROM prompts WHERE state <> 'done'");
    return rows.map((row) => String(row['session']));
  }

  async addQuestion(session: string, question: Question): Promise<void> {
    const sql = 'INSERT INTO questions (id, session, body) VALUES (?, ?, ?)';
    this.#database.run(sql, question.id, session, JSON.stringify(question));
  }

  async readQuestion(id: string): Promise<KeptQuestion | undefined> {
    const row = this.#database.get('SELECT * FROM questions WHERE id = ?', id);
    if (row === undefined) return undefined;
    return {
      question: JSON.parse(String(row['body'])) as Question,
      session: String(row['session']),
      ...(row['reply'] !== null && { reply: JSON.parse(String(row['reply'])) as Reply }),
      isClosed: row['closed'] === 1,
    };
  }

  async listQuestions(session: string): Promise<readonly Question[]> {
    const sql = 'SELECT body FROM questions WHERE session = ? AND closed = 0 AND reply IS NULL ORDER BY number';
    return this.#database.all(sql, session).map((row) => JSON.parse(String(row['body'])) as Question);
  }

  async addReply(question: string, reply: Reply, by: string): Promise<boolean> {
    const sql = 'UPDATE questions SET reply = ?, replied_by = ? WHERE id = ? AND closed = 0 AND reply IS NULL';
    return this.#database.run(sql, JSON.stringify(reply), by, question) > 0;
  }

  async closeQuestion(id: string): Promise<void> {
    this.#database.run('UPDATE questions SET closed = 1 WHERE id = ?', id);
  }

  async addToken(token: Token): Promise<void> {
    const sql = 'INSERT INTO tokens (id, name, created, expires, revoked, body) VALUES (?, ?, ?, ?, NULL, ?)';
    const { created, expires, ...body } = token;
    const values = [token.id, token.name, created.getTime(), expires?.getTime() ?? null, JSON.stringify(body)];
    this.#database.run(sql, ...values);
  }

  async findToken(id: string): Promise<Token | undefined> {
    const row = this.#database.get('SELECT * FROM tokens WHERE id = ?', id);
    return row && toToken(row);
  }

  async listTokens(): Promise<readonly Token[]> {
    return this.#database.all('SELECT * FROM tokens ORDER BY created').map(toToken);
  }

  async revokeToken(name: string, at: Date): Promise<boolean> {
    const sql = 'UPDATE tokens SET revoked = ? WHERE name = ? AND revoked IS NULL';
    return this.#database.run(sql, at.getTime(), name) > 0;
  }

  async addSpending(session: string, { tokens, dollars, minutes, calls }: Spending) {
    runTransaction(this.#database, () => {
      for (const subject of this.#subjects(session))
        this.#database.run(
          `INSERT INTO spending (subject, tokens, dollars, minutes, calls) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (subject) DO UPDATE SET tokens = tokens + excluded.tokens, dollars = dollars + excluded.dollars,
            minutes = minutes + excluded.minutes, calls = calls + excluded.calls`,
          subject,
          tokens,
          dollars,
          minutes,
          calls,
        );
    });
    return this.readSpending(session);
  }

  async readSpending(session: string) {
    const [ofSession, ofToken] = this.#subjects(session).map((subject) => this.#readSum(subject));
    return { session: ofSession!, token: ofToken! };
  }

  async addAudit({ time, by, what, session, detail }: AuditEntry): Promise<void> {
    const sql = 'INSERT INTO audit (time, by, what, session, detail) VALUES (?, ?, ?, ?, ?)';
    this.#database.run(sql, time.getTime(), by, what, session ?? null, detail ?? null);
  }

  async readAudit(limit: number): Promise<readonly AuditEntry[]> {
    return this.#database.all('SELECT * FROM audit ORDER BY number DESC LIMIT ?', limit).map((row) => ({
      time: new Date(Number(row['time'])),
      by: String(row['by']),
      what: String(row['what']),
      ...(row['session'] !== null && { session: String(row['session']) }),
      ...(row['detail'] !== null && { detail: String(row['detail']) }),
    }));
  }

  async check(): Promise<void> {
    this.#database.get('SELECT count(*) FROM tokens');
    this.#sessions.sessions(1);
  }

  async close(): Promise<void> {
    this.#sessions.close();
    this.#database.close();
  }

  #writer(session: string): ReturnType<Store['log']> {
    const writer = this.#writers.get(session) ?? this.#sessions.log(session);
    // So that the map does not grow with all sessions that ever were.
    if (this.#writers.size >= 1000) this.#writers.clear();
    this.#writers.set(session, writer);
    return writer;
  }

  /** What the spending of a session is added to. */
  #subjects(session: string): readonly [session: string, token: string] {
    const owner = this.#database.get('SELECT owner FROM sessions WHERE id = ?', session)?.['owner'];
    return [session, `token:${String(owner)}`];
  }

  #readSum(subject: string): Spending {
    const row = this.#database.get('SELECT * FROM spending WHERE subject = ?', subject);
    const read = (name: keyof Spending): number => Number(row?.[name] ?? 0);
    return { tokens: read('tokens'), dollars: read('dollars'), minutes: read('minutes'), calls: read('calls') };
  }

  #toSession(row: Row): Session {
    const id = String(row['id']);
    return {
      ...(JSON.parse(String(row['body'])) as NewServedSession),
      id,
      created: new Date(Number(row['created'])).toISOString(),
      state: String(row['state']) as SessionState,
      spent: this.#readSum(id),
    };
  }
}

function readPromptRow(row: Row): QueuedPrompt {
  return {
    id: String(row['id']),
    session: String(row['session']),
    text: String(row['text']),
    state: String(row['state']) as Prompt['state'],
    ...(row['outcome'] !== null && { outcome: String(row['outcome']) }),
    takenAt: Number(row['taken_at']),
    tries: Number(row['tries']),
  };
}

function toToken(row: Row): Token {
  const readDate = (name: string): Date | undefined => (row[name] === null ? undefined : new Date(Number(row[name])));
  return {
    ...(JSON.parse(String(row['body'])) as Omit<Token, 'created'>),
    created: new Date(Number(row['created'])),
    expires: readDate('expires'),
    revoked: readDate('revoked'),
  };
}
