import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { transaction } from './transaction.ts';

function numbers(file = join(temporaryFolder(), 'bae.db')): Database {
  const database = openDatabase(file, { busyMs: 30 });
  onTestFinished(() => database.close());
  database.execute('CREATE TABLE IF NOT EXISTS t (x)');
  return database;
}

const add = (database: Database, x: number | string) => database.run('INSERT INTO t VALUES (?)', x);
const all = (database: Database) => database.all('SELECT x FROM t').map(({ x }) => x);

describe('transaction', () => {
  it('keeps everything, and gives what the work gives', () => {
    const database = numbers();
    expect(transaction(database, () => add(database, 1) + add(database, 2))).toBe(2);
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
    expect(() => transaction(database, work)).toThrow(error);
    expect(all(database)).toEqual([]);
    expect(transaction(database, () => add(database, 2))).toBe(1);
  });

  it('is for one piece of work at a time', () => {
    const database = numbers();
    expect(() => transaction(database, () => transaction(database, () => add(database, 1)))).toThrow(
      'cannot start a transaction within a transaction',
    );
    expect(all(database)).toEqual([]);
  });

  it('begins as a writer, so that it waits at the start and never in the middle', () => {
    const database = numbers();
    const other = numbers(database.file);
    const order: string[] = [];
    const blocked = () =>
      transaction(other, () => {
        order.push('never reached');
      });
    transaction(database, () => {
      expect(blocked).toThrow(`${database.file}: another process has kept it locked for too long.`);
      add(database, 1);
    });
    expect(order).toEqual([]);
    expect(all(other)).toEqual([1]);
  });

  it('says that the disk is full, and leaves what was there', () => {
    const database = numbers();
    transaction(database, () => add(database, 1));
    database.execute('PRAGMA max_page_count = 2');
    expect(() => transaction(database, () => add(database, 'x'.repeat(100_000)))).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        message: `${database.file}: the disk is full.`,
        hints: ['free some space', 'or use another file: --db FILE'],
      }),
    );
    expect(database.inTransaction).toBe(false);
    expect(all(database)).toEqual([1]);
    database.execute('PRAGMA max_page_count = 1000');
    transaction(database, () => add(database, 2));
    expect(all(database)).toEqual([1, 2]);
  });
});
