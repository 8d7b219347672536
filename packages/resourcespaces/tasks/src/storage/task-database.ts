import { hasDatabase, openDatabase, runTransaction, type Database } from '@bae/store';
import { SCHEMA } from './task-schema.ts';

/** A database that is only read. */
export type Rows = Pick<Database, 'all' | 'get'>;

/** Which part of a list. */
export interface PageRange {
  /** Position of the first row, from 1. */
  readonly first: number;
  readonly most: number;
}

/** Before the first task there is no file. */
const NO_ROWS: Rows = { all: () => [], get: () => undefined };

/** The file with the tasks: opened when it is needed, made when the first task is written. */
export class TaskDatabase {
  readonly #file: string;
  #database: Database | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads one consistent state, even while others write. */
  read<T>(work: (rows: Rows) => T): T {
    if (this.#database === undefined && !hasDatabase(this.#file)) return work(NO_ROWS);
    const database = this.#open();
    database.execute('BEGIN');
    try {
      return work(database);
    } finally {
      database.execute('COMMIT');
    }
  }

  /** Changes tasks: all of the work is on disk afterwards, or none of it. Waits while another process writes. */
  write<T>(work: (database: Database) => T): T {
    const database = this.#open();
    return runTransaction(database, () => work(database));
  }

  /** Does the same as `write`, and rolls it back. */
  tryOut<T>(work: (database: Database) => T): T {
    const database = this.#open();
    database.execute('BEGIN IMMEDIATE');
    try {
      return work(database);
    } finally {
      // A full disk has rolled it back already.
      if (database.inTransaction) database.execute('ROLLBACK');
    }
  }

  /** Closes the file. Can be called more than once. */
  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #open(): Database {
    this.#database ??= openDatabase(this.#file, { steps: SCHEMA });
    return this.#database;
  }
}
