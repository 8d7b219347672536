import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { SCHEMA } from './schema.ts';
import { Store } from './store.ts';

const STEPS = [
  'CREATE TABLE notes (text)',
  "ALTER TABLE notes ADD COLUMN tag; UPDATE notes SET tag = 'old'",
  'CREATE INDEX notes_by_tag ON notes (tag)',
];

function open(file = join(temporaryFolder(), 'bae.db')): Database {
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  return database;
}

const version = (database: Database) => database.get('PRAGMA user_version')?.['user_version'];
const schema = (database: Database) => database.all('SELECT type, name, sql FROM sqlite_schema ORDER BY name');

describe('migrate', () => {
  it.each([0, 1, 2, 3])('leads from version %i to the newest, and keeps what is there', (start) => {
    const fresh = open();
    migrate(fresh, STEPS);
    const old = open();
    migrate(old, STEPS.slice(0, start));
    if (start > 0) old.run('INSERT INTO notes (text) VALUES (?)', 'kept');
    migrate(old, STEPS);
    expect(version(old)).toBe(3);
    expect(schema(old)).toEqual(schema(fresh));
    const kept = { text: 'kept', tag: start === 1 ? 'old' : null };
    expect(old.all('SELECT * FROM notes')).toEqual(start > 0 ? [kept] : []);
  });

  it('takes a step as a whole or not at all', () => {
    const database = open();
    const broken = [STEPS[0]!, 'CREATE TABLE half (x); CREATE TABLE half (x)'];
    expect(() => migrate(database, broken)).toThrow('table half already exists');
    expect(version(database)).toBe(1);
    expect(schema(database).map(({ name }) => name)).toEqual(['notes']);
    migrate(database, STEPS);
    expect(version(database)).toBe(3);
  });

  it('leaves a step to another process that was faster', () => {
    const database = open();
    const other = open(database.file);
    let isTold = false;
    const steps = new Proxy(STEPS, {
      get(target, name): unknown {
        // The version has been looked at, and nothing is locked yet.
        if (name === 'length' && !isTold) {
          isTold = true;
          migrate(other, STEPS);
        }
        return Reflect.get(target, name);
      },
    });
    migrate(database, steps);
    expect(version(database)).toBe(3);
  });

  it('refuses what a newer version made, and leaves it as it is', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const database = open(file);
    migrate(database, [...SCHEMA, 'CREATE TABLE later (x)', 'CREATE TABLE even_later (x)']);
    const before = schema(database);
    expect(() => Store.open(file)).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        message: `${file}: it was made by a newer bae (its version is ${SCHEMA.length + 2}, this bae knows ${SCHEMA.length}), and was left as it is.`,
        hints: ['update bae', 'or use another file: --db FILE'],
      }),
    );
    expect(schema(database)).toEqual(before);
    expect(version(database)).toBe(SCHEMA.length + 2);
  });
});

describe('the tables of a store', () => {
  it.each(SCHEMA.map((_, index) => index))('are the same from version %i on', (start) => {
    const fresh = open();
    migrate(fresh, SCHEMA);
    const old = open();
    migrate(old, SCHEMA.slice(0, start));
    migrate(old, SCHEMA);
    expect(schema(old)).toEqual(schema(fresh));
  });

  it('are these', () => {
    const database = open();
    migrate(database, SCHEMA);
    const names = database.all(
      "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'entry_words_%'",
    );
    expect(names.map(({ type, name }) => `${String(type)} ${String(name)}`)).toEqual([
      'table sessions',
      'table events',
      'table records',
      'table results',
      'table entries',
      'index entries_of_session',
      'table entry_words',
      'trigger entries_insert',
      'trigger entries_delete',
      'trigger entries_update',
    ]);
  });
});
