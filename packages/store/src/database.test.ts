import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { migrate, runTransaction, runTransactionSoon, type Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { SCHEMA } from './schema.ts';
import { Store } from './store.ts';
import { readBaeVersion } from './store-error.ts';

function people(): Database {
  const database = openDatabase(join(temporaryFolder(), 'bae.db'));
  onTestFinished(() => database.close());
  database.execute("CREATE TABLE people (name, age); INSERT INTO people VALUES ('Ada', 36), ('Bob', NULL)");
  return database;
}

describe('Database', () => {
  it('gives plain objects', () => {
    const database = people();
    const rows = [...database.all('SELECT * FROM people'), database.get('SELECT * FROM people')];
    expect(rows).toStrictEqual([
      { name: 'Ada', age: 36 },
      { name: 'Bob', age: null },
      { name: 'Ada', age: 36 },
    ]);
    for (const row of rows) expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });

  it('gives undefined for no row, and the number of changed ones', () => {
    const database = people();
    expect(database.get('SELECT * FROM people WHERE name = ?', 'Eve')).toBeUndefined();
    expect(database.run('UPDATE people SET age = age + 1 WHERE age > ?', 1)).toBe(1);
    expect(database.run('DELETE FROM people')).toBe(2);
  });

  it('takes values as they are, never as a part of a statement', () => {
    const database = people();
    const name = "'); DROP TABLE people; --";
    database.run('INSERT INTO people VALUES (?, 1)', name);
    expect(database.get('SELECT name FROM people WHERE name = ?', name)).toEqual({ name });
  });

  it('goes on after its tables have changed', () => {
    const database = people();
    expect(database.all('SELECT * FROM people')).toHaveLength(2);
    database.execute('ALTER TABLE people ADD COLUMN town');
    expect(database.get('SELECT * FROM people')).toEqual({ name: 'Ada', age: 36, town: null });
  });

  it('reports that it is closed, which may be done twice', () => {
    const database = people();
    database.close();
    database.close();
    expect(database.inTransaction).toBe(false);
    const closed = expect.objectContaining({
      name: 'StoreError',
      message: `${database.file}: the database is closed.`,
    });
    expect(() => database.get('SELECT 1')).toThrow(closed);
    expect(() => database.all('SELECT 1')).toThrow(closed);
    expect(() => database.run('SELECT 1')).toThrow(closed);
    expect(() => database.execute('SELECT 1')).toThrow(closed);
  });
});

function numbers(file = join(temporaryFolder(), 'bae.db')): Database {
  const database = openDatabase(file, { busyMs: 30 });
  onTestFinished(() => database.close());
  database.execute('CREATE TABLE IF NOT EXISTS t (x)');
  return database;
}

const add = (database: Database, x: number | string) => database.run('INSERT INTO t VALUES (?)', x);
const all = (database: Database) => database.all('SELECT x FROM t').map(({ x }) => x);

describe('runTransaction', () => {
  it('keeps everything, and gives what the work gives', () => {
    const database = numbers();
    expect(runTransaction(database, () => add(database, 1) + add(database, 2))).toBe(2);
    expect(all(database)).toEqual([1, 2]);
    expect(database.inTransaction).toBe(false);
  });

  it('keeps nothing when the work fails, and passes its error on', () => {
    const database = numbers();
    const error = new Error('no');
    const work = (): never => {
      add(database, 1);
      throw error;
    };
    expect(() => runTransaction(database, work)).toThrow(error);
    expect(all(database)).toEqual([]);
    expect(runTransaction(database, () => add(database, 2))).toBe(1);
  });

  it('is for one piece of work at a time', () => {
    const database = numbers();
    expect(() => runTransaction(database, () => runTransaction(database, () => add(database, 1)))).toThrow(
      'cannot start a transaction within a transaction',
    );
    expect(all(database)).toEqual([]);
  });

  it('begins as a writer, so that it waits at the start and never in the middle', () => {
    const database = numbers();
    const other = numbers(database.file);
    const order: string[] = [];
    const blocked = () =>
      runTransaction(other, () => {
        order.push('never reached');
      });
    runTransaction(database, () => {
      expect(blocked).toThrow(`${database.file}: another process has kept it locked for too long.`);
      add(database, 1);
    });
    expect(order).toEqual([]);
    expect(all(other)).toEqual([1]);
  });

  it('reports that the disk is full, and leaves what was there', () => {
    const database = numbers();
    runTransaction(database, () => add(database, 1));
    database.execute('PRAGMA max_page_count = 2');
    expect(() => runTransaction(database, () => add(database, 'x'.repeat(100_000)))).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        message: `${database.file}: the disk is full.`,
        hints: ['free some space', 'use another file: --db FILE'],
      }),
    );
    expect(database.inTransaction).toBe(false);
    expect(all(database)).toEqual([1]);
    database.execute('PRAGMA max_page_count = 1000');
    runTransaction(database, () => add(database, 2));
    expect(all(database)).toEqual([1, 2]);
  });
});

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

describe('runTransactionSoon', () => {
  it('does not wait for the disk, but what comes after it does, whether it succeeds or fails', () => {
    const database = people();
    const readModes = () =>
      ['synchronous', 'wal_autocheckpoint'].map((name) => Object.values(database.get(`PRAGMA ${name}`) ?? {})[0]);
    const add = () => database.run("INSERT INTO people VALUES ('Eve', 1)");
    expect(runTransactionSoon(database, () => [add(), ...readModes()])).toEqual([1, 0, 0]);
    expect(readModes()).toEqual([2, 1000]);
    const fail = () => {
      add();
      throw new Error('no');
    };
    expect(() => runTransactionSoon(database, fail)).toThrow('no');
    expect(readModes()).toEqual([2, 1000]);
    expect(database.all("SELECT age FROM people WHERE name = 'Eve'")).toEqual([{ age: 1 }]);
  });
});

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
    expect(schema(database).map(({ name }) => name)).toEqual(['bae_migrations', 'notes']);
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
    database.run("UPDATE bae_migrations SET bae = '9.8.7' WHERE version = ?", SCHEMA.length + 2);
    const before = schema(database);
    const versions = `(version ${SCHEMA.length + 2} of these tables, this bae knows ${SCHEMA.length})`;
    const refuse = (by: string, update: string) =>
      expect.objectContaining({
        name: 'StoreError',
        message: `${file}: it was made by ${by} ${versions}. Nothing in it was changed.`,
        hints: [update, 'use another file: --db FILE'],
      });
    const own = readBaeVersion();
    expect(() => Store.open(file)).toThrow(refuse(`bae 9.8.7, and this is bae ${own}`, 'update bae to 9.8.7 or later'));
    expect(schema(database)).toEqual(before);
    expect(version(database)).toBe(SCHEMA.length + 2);
    // An early bae did not write its version.
    database.execute('DROP TABLE bae_migrations');
    expect(() => Store.open(file)).toThrow(refuse('a newer bae', 'update bae'));
  });

  it('needs the bae that took the last step, not a later one that opened it', () => {
    const database = open();
    migrate(database, STEPS.slice(0, 2));
    database.run("UPDATE bae_migrations SET bae = '0.0.1'");
    migrate(database, STEPS.slice(0, 2));
    migrate(database, STEPS);
    expect(database.all('SELECT * FROM bae_migrations')).toEqual([
      { version: 1, bae: '0.0.1' },
      { version: 2, bae: '0.0.1' },
      { version: 3, bae: readBaeVersion() },
    ]);
    expect(readBaeVersion()).toMatch(/^\d+\.\d+\.\d+/);
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
      'table records',
      'table results',
      'table bae_migrations',
      'table events',
      'table entry_words',
      'trigger events_delete',
      'table tags',
      'index entries_of_tag',
    ]);
  });
});
