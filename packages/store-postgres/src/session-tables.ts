/**
 * Migration steps of the session tables. A released step is never changed.
 *
 * Data that has to be restored exactly is in a column `body`, as JSON in a text column, which can hold any string.
 * Times are in milliseconds since 1970.
 */
export const SESSION_TABLES: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    started BIGINT NOT NULL,
    cwd TEXT NOT NULL,
    meta TEXT NOT NULL,
    epoch BIGINT NOT NULL DEFAULT 0,
    last_seq BIGINT NOT NULL DEFAULT 0,
    last_turn BIGINT NOT NULL DEFAULT 0,
    last_call BIGINT NOT NULL DEFAULT 0,
    last_mac TEXT NOT NULL DEFAULT '',
    messages BIGINT NOT NULL DEFAULT 0,
    prompt TEXT
  );

  CREATE TABLE events (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    time BIGINT NOT NULL,
    epoch BIGINT,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  );

  CREATE TABLE records (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    time BIGINT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    mac TEXT,
    PRIMARY KEY (session, seq)
  );
  CREATE INDEX approvals ON records (session, seq) WHERE kind = 'approval';

  CREATE TABLE results (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    time BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, number)
  );

  CREATE TABLE entries (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    time BIGINT NOT NULL,
    mode TEXT NOT NULL DEFAULT 'ai',
    channel TEXT NOT NULL,
    direction TEXT NOT NULL,
    content TEXT NOT NULL,
    meta TEXT NOT NULL,
    words TSVECTOR NOT NULL
  );
  CREATE INDEX entries_of_session ON entries (session, id);
  CREATE INDEX entry_words ON entries USING gin (words);
  `,
  // Codes that prove that a session, an entry and a result were written with the operator's key; and tags.
  `
  ALTER TABLE sessions ADD COLUMN entries BIGINT NOT NULL DEFAULT 0, ADD COLUMN mac BYTEA;
  UPDATE sessions SET entries = (SELECT count(*) FROM entries WHERE session = sessions.id);
  CREATE INDEX sessions_of_folder ON sessions (cwd, id);
  ALTER TABLE entries ADD COLUMN mac BYTEA;
  ALTER TABLE results ADD COLUMN mac BYTEA;

  CREATE TABLE tags (
    entry BIGINT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (entry, tag)
  );
  CREATE INDEX entries_of_tag ON tags (tag);
  `,
];
