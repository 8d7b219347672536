import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';

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

  it('says so when it is closed, which may be done twice', () => {
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
