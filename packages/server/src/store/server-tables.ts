import type { Prompt, Session, SessionState, Spending } from '@bae/client';
import type { Row } from '@bae/store/backend';
import type { NewServedSession, QueuedPrompt, Token } from '../ports.ts';

/**
 * Migration steps of the tables of a server, in the SQL that SQLite and PostgreSQL have in common. A released step is
 * never changed. Times are in milliseconds since 1970; text written by people is stored as JSON, which can hold any
 * text.
 */
export const SERVER_TABLES: readonly string[] = [
  `
  CREATE TABLE served_sessions (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    created BIGINT NOT NULL,
    state TEXT NOT NULL,
    -- Of whoever works on it; the log of the session has its own.
    epoch BIGINT NOT NULL DEFAULT 0,
    -- Number of the last prompt or question.
    last BIGINT NOT NULL DEFAULT 0,
    body TEXT NOT NULL
  );
  CREATE INDEX sessions_of_owner ON served_sessions (owner, id);

  CREATE TABLE prompts (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES served_sessions (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    key TEXT,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT,
    taken_at BIGINT NOT NULL DEFAULT 0,
    tries BIGINT NOT NULL DEFAULT 0,
    cancelled BIGINT NOT NULL DEFAULT 0,
    UNIQUE (session, key)
  );
  CREATE INDEX prompts_to_do ON prompts (session, number) WHERE state <> 'done';

  CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES served_sessions (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    reply TEXT,
    replied_by TEXT,
    closed BIGINT NOT NULL DEFAULT 0
  );
  CREATE INDEX questions_that_wait ON questions (session, number) WHERE closed = 0;

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created BIGINT NOT NULL,
    expires BIGINT,
    revoked BIGINT,
    body TEXT NOT NULL
  );

  -- By the id of a session, or "token:" and the name of a token.
  CREATE TABLE spending (
    subject TEXT PRIMARY KEY,
    tokens DOUBLE PRECISION NOT NULL,
    dollars DOUBLE PRECISION NOT NULL,
    minutes DOUBLE PRECISION NOT NULL,
    calls DOUBLE PRECISION NOT NULL
  );

  CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    time BIGINT NOT NULL,
    -- Puts entries of one process in order within a millisecond.
    number BIGINT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX latest_audit ON audit (time, number);
  `,
  // The day on which a token was last used.
  'ALTER TABLE tokens ADD COLUMN used BIGINT',
];

/** Reads the totals of a session and of its token. */
export function toSums(session: string, rows: readonly Row[]) {
  return {
    session: toSpending(rows.find(({ subject }) => subject === session)),
    token: toSpending(rows.find(({ subject }) => subject !== session)),
  };
}

function toSpending(row: Row | undefined): Spending {
  const read = (name: keyof Spending): number => Number(row?.[name] ?? 0);
  return { tokens: read('tokens'), dollars: read('dollars'), minutes: read('minutes'), calls: read('calls') };
}

export function toSession(row: Row): Session {
  return {
    ...(JSON.parse(String(row['body'])) as NewServedSession),
    id: String(row['id']),
    created: new Date(Number(row['created'])).toISOString(),
    state: String(row['state']) as SessionState,
    spent: toSpending(row),
  };
}

export function readPromptRow(row: Row): QueuedPrompt {
  return {
    id: String(row['id']),
    session: String(row['session']),
    text: JSON.parse(String(row['text'])) as string,
    // A prompt whose end is about to be announced has ended.
    state: row['state'] === 'ending' ? 'done' : (String(row['state']) as Prompt['state']),
    ...(row['outcome'] !== null && { outcome: String(row['outcome']) }),
    takenAt: Number(row['taken_at']),
    tries: Number(row['tries']),
  };
}

export function toToken(row: Row): Token {
  const readDate = (name: string): Date | undefined => (row[name] === null ? undefined : new Date(Number(row[name])));
  return {
    ...(JSON.parse(String(row['body'])) as Omit<Token, 'created'>),
    created: new Date(Number(row['created'])),
    expires: readDate('expires'),
    revoked: readDate('revoked'),
    used: readDate('used'),
  };
}
