import { hasDatabase, migrate, openDatabase, transaction, type Database } from '@bae/store';
import { SCHEMA } from './task-schema.ts';

/** What a look at tasks needs. */
export type Rows = Pick<Database, 'all' | 'get'>;

/** There are none as long as nobody has written a task. */
const NO_ROWS: Rows = { all: () => [], get: () => undefined };

/** The file with the tasks: opened when it is needed, made when the first task is written. */
export class TaskDatabase {
  readonly #file: string;
  #database: Database | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Looks at the tasks as they are at one moment, whatever others write meanwhile. */
  read<T>(look: (rows: Rows) => T): T {
    if (this.#database === undefined && !hasDatabase(this.#file)) return look(NO_ROWS);
    const database = this.#open();
    database.execute('BEGIN');
    try {
      return look(database);
    } finally {
      database.execute('COMMIT');
    }
  }

  /** Changes tasks: all of the work is on disk afterwards, or nothing. Waits while another process writes. */
  write<T>(work: (database: Database) => T): T {
    const database = this.#open();
    return transaction(database, () => work(database));
  }

  /** Does the same as `write`, and takes it all back. */
  tryOut<T>(work: (database: Database) => T): T {
    const database = this.#open();
    database.execute('BEGIN IMMEDIATE');
    try {
      return work(database);
    } finally {
      // A full disk has done it already.
      if (database.inTransaction) database.execute('ROLLBACK');
    }
  }

  /** Lets go of the file. Called once or more. */
  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #open(): Database {
    if (this.#database !== undefined) return this.#database;
    const database = openDatabase(this.#file);
    try {
      migrate(database, SCHEMA);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    return database;
  }
}
