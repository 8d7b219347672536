/** Moves open tasks whose unfinished parts are all blocked behind the other open ones; patches, minors, majors. */
export const MOVE_WAITING = `
  UPDATE task SET place = '1~' || substr(place, 3)
  WHERE place >= '1 ' AND place < '1!'
    AND (SELECT min(part.place) FROM task AS part WHERE part.parent = task.id) >= '1~'
    AND (SELECT min(part.place) FROM task AS part WHERE part.parent = task.id) < '3';
`.repeat(3);

/** Moves all open tasks with unfinished parts behind those that can be started. */
export const MOVE_PARENTS = `
  UPDATE task SET place = '1~' || substr(place, 3)
  WHERE place >= '1 ' AND place < '1!'
    AND (SELECT min(part.place) FROM task AS part WHERE part.parent = task.id) < '3';
`;

/**
 * The migration steps for the tables of tasks. A released step is never changed.
 *
 * Times are in milliseconds since 1970. `place` sorts as lists do; it is stored with the tags too, so that any list,
 * however it is filtered, is a range of an index.
 */
export const SCHEMA: readonly string[] = [
  `
  CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    -- The title in lower case.
    folded TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('in_progress', 'blocked', 'open', 'done', 'cancelled')),
    major INTEGER NOT NULL,
    minor INTEGER NOT NULL,
    patch INTEGER NOT NULL,
    place TEXT NOT NULL,
    parent INTEGER REFERENCES task (id),
    creator TEXT NOT NULL CHECK (creator IN ('agent', 'user')),
    gated INTEGER NOT NULL,
    pending TEXT CHECK (pending IN ('done', 'cancelled')),
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    version INTEGER NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;

  CREATE INDEX task_by_place ON task (place);
  CREATE INDEX task_by_parent ON task (parent, place);
  CREATE INDEX task_by_priority ON task (major, minor, patch);
  CREATE INDEX task_by_activity ON task (updated) WHERE place < '3';
  CREATE INDEX task_by_gate ON task (id) WHERE pending IS NOT NULL;

  CREATE TABLE task_tag (
    tag TEXT NOT NULL,
    place TEXT NOT NULL,
    task INTEGER NOT NULL REFERENCES task (id),
    PRIMARY KEY (tag, place, task)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX tag_by_task ON task_tag (task, tag);

  CREATE TRIGGER task_moves AFTER UPDATE OF place ON task WHEN old.place <> new.place BEGIN
    UPDATE task_tag SET place = new.place WHERE task = new.id;
  END;

  -- The first task waits until the second is finished.
  CREATE TABLE task_dep (
    task INTEGER NOT NULL REFERENCES task (id),
    after INTEGER NOT NULL REFERENCES task (id),
    PRIMARY KEY (task, after)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX dep_by_after ON task_dep (after);

  CREATE TABLE task_audit (
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES task (id),
    time INTEGER NOT NULL,
    who TEXT NOT NULL CHECK (who IN ('agent', 'user')),
    field TEXT NOT NULL,
    old TEXT,
    new TEXT
  ) STRICT;

  CREATE INDEX audit_by_task ON task_audit (task, id);

  -- Two indexes of words: one knows that "configured" and "configuring" are the same, the other knows beginnings.
  CREATE VIRTUAL TABLE task_stems USING fts5 (
    title, body, content = 'task', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2', prefix = '3 4 5 6'
  );
  CREATE VIRTUAL TABLE task_words USING fts5 (
    title, body, content = 'task', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '3 4 5 6'
  );

  CREATE TRIGGER task_insert AFTER INSERT ON task BEGIN
    INSERT INTO task_stems (rowid, title, body) VALUES (new.id, new.title, new.body);
    INSERT INTO task_words (rowid, title, body) VALUES (new.id, new.title, new.body);
  END;

  CREATE TRIGGER task_delete AFTER DELETE ON task BEGIN
    INSERT INTO task_stems (task_stems, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
    INSERT INTO task_words (task_words, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
  END;

  CREATE TRIGGER task_update AFTER UPDATE OF title, body ON task
  WHEN old.title <> new.title OR old.body <> new.body BEGIN
    INSERT INTO task_stems (task_stems, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
    INSERT INTO task_words (task_words, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
    INSERT INTO task_stems (rowid, title, body) VALUES (new.id, new.title, new.body);
    INSERT INTO task_words (rowid, title, body) VALUES (new.id, new.title, new.body);
  END;
  `,
  // Blocked tasks come after open ones; the tags follow their tasks.
  `
  UPDATE task SET place = (CASE substr(place, 1, 1) WHEN '1' THEN '2' ELSE '1' END) || substr(place, 2)
  WHERE place >= '1' AND place < '3';
  `,
  MOVE_WAITING,
  MOVE_PARENTS,
];
