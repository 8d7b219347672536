import type { Database } from './database.ts';

/**
 * Does some work in one transaction: all of it is on disk afterwards, or nothing.
 *
 * It begins as a writer. One that begins as a reader, and writes later, fails at once when another process
 * has written in between; a writer waits for its turn.
 *
 * @param work reads and writes, and is over when it returns: never asynchronous
 * @returns what `work` returns
 * @throws what `work` throws; StoreError when the database cannot be written
 */
export function transaction<T>(database: Database, work: () => T): T {
  database.execute('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.execute('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: Database): void {
  try {
    // A full disk has done it already.
    if (database.inTransaction) database.execute('ROLLBACK');
  } catch {
    // What went wrong before says more; without a commit nothing of it is kept anyway.
  }
}
