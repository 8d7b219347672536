/** The steps that lead to the tables of a server. A step that was released is never changed. Times are in milliseconds since 1970. */
export const SERVER_TABLES: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    created INTEGER NOT NULL,
    state TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_of_owner ON sessions (owner, id);

  CREATE TABLE prompts (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key TEXT,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT,
    taken_at INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session, key)
  ) STRICT;
  CREATE INDEX prompts_to_do ON prompts (session, number) WHERE state <> 'done';

  CREATE TABLE questions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    body TEXT NOT NULL,
    reply TEXT,
    replied_by TEXT,
    closed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX questions_that_wait ON questions (session, number) WHERE closed = 0;

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER,
    body TEXT NOT NULL
  ) STRICT;

  -- By the id of a session, or "token:" and the name of a token.
  CREATE TABLE spending (
    subject TEXT PRIMARY KEY,
    tokens REAL NOT NULL,
    dollars REAL NOT NULL,
    minutes REAL NOT NULL,
    calls REAL NOT NULL
  ) STRICT;

  CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    by TEXT NOT NULL,
    what TEXT NOT NULL,
    session TEXT,
    detail TEXT
  ) STRICT;
  `,
];
