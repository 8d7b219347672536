/**
 * Migration steps of the tables of a store. A released step is never changed.
 *
 * Data that has to be restored exactly is in a column `body`, as JSON, which can hold any string; `content` is
 * for searching and may be cut. Times are in milliseconds since 1970.
 */
export const SCHEMA: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    started INTEGER NOT NULL,
    cwd TEXT NOT NULL,
    meta TEXT NOT NULL,
    -- Kept with every event and record, so that a list of sessions need not count.
    last_seq INTEGER NOT NULL DEFAULT 0,
    last_turn INTEGER NOT NULL DEFAULT 0,
    last_call INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    prompt TEXT
  ) STRICT;

  -- Events and records of a session share one sequence.
  CREATE TABLE events (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    time INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT;

  CREATE TABLE records (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT;

  CREATE TABLE results (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    time INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, number)
  ) STRICT;

  CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    time INTEGER NOT NULL,
    mode TEXT NOT NULL,
    channel TEXT NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('input', 'output')),
    content TEXT NOT NULL,
    meta TEXT NOT NULL
  ) STRICT;

  CREATE INDEX entries_of_session ON entries (session);

  CREATE VIRTUAL TABLE entry_words USING fts5 (
    content, content = 'entries', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
  );

  CREATE TRIGGER entries_insert AFTER INSERT ON entries BEGIN
    INSERT INTO entry_words (rowid, content) VALUES (new.id, new.content);
  END;

  CREATE TRIGGER entries_delete AFTER DELETE ON entries BEGIN
    INSERT INTO entry_words (entry_words, rowid, content) VALUES ('delete', old.id, old.content);
  END;

  CREATE TRIGGER entries_update AFTER UPDATE OF content ON entries BEGIN
    INSERT INTO entry_words (entry_words, rowid, content) VALUES ('delete', old.id, old.content);
    INSERT INTO entry_words (rowid, content) VALUES (new.id, new.content);
  END;
  `,
  // The code that proves that a record, and all records before it, were written with the user's key.
  'ALTER TABLE records ADD COLUMN mac TEXT;',
  // The worker of a session holds its epoch; a worker that takes over raises it.
  `
  ALTER TABLE sessions ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE events ADD COLUMN epoch INTEGER;
  `,
  // Entries are events: their text is stored once, and the index only contains words.
  `
  ALTER TABLE sessions ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
  -- What proves that the session was started, and each event and result written, with the user's key.
  ALTER TABLE sessions ADD COLUMN mac BLOB;
  ALTER TABLE results ADD COLUMN mac BLOB;

  CREATE TABLE numbered_events (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    time INTEGER NOT NULL,
    epoch INTEGER,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    mac BLOB,
    UNIQUE (session, seq)
  ) STRICT;

  INSERT INTO numbered_events (session, seq, time, epoch, type, body)
    SELECT session, seq, time, epoch, type, body FROM events ORDER BY time, session, seq;

  DROP TABLE entry_words;
  DROP TABLE entries;
  DROP TABLE events;
  ALTER TABLE numbered_events RENAME TO events;

  CREATE VIRTUAL TABLE entry_words USING fts5 (
    content, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );

  INSERT INTO entry_words (rowid, content)
    SELECT id, substr(CASE type
      WHEN 'turn-start' THEN body->>'prompt'
      WHEN 'answer' THEN body->>'text'
      WHEN 'call-end' THEN (body->>'tag') || char(10) || (body->>'text')
      ELSE (body->>'code') || char(10) || (body->>'output')
    END, 1, 10000)
    FROM events WHERE type IN ('turn-start', 'answer', 'call-end', 'run-end');

  UPDATE sessions SET entries = (
    SELECT count(*) FROM events
    WHERE session = sessions.id AND type IN ('turn-start', 'answer', 'call-end', 'run-end')
  );

  CREATE TRIGGER events_delete AFTER DELETE ON events
  WHEN old.type IN ('turn-start', 'answer', 'call-end', 'run-end') BEGIN
    DELETE FROM entry_words WHERE rowid = old.id;
  END;

  CREATE TABLE tags (
    entry INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (entry, tag)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX entries_of_tag ON tags (tag);
  `,
  // A body is either text or, compressed, in `packed`; then the text is empty.
  `
  ALTER TABLE events ADD COLUMN packed BLOB;
  ALTER TABLE records ADD COLUMN packed BLOB;
  `,
];
