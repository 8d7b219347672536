import { hasDatabase, openDatabase, runTransaction, type Database, type Row } from '@bae/store';
import { findHits } from './search-tasks.ts';
import { SCHEMA } from './task-schema.ts';
import { runWork, type Request, type Work } from './task-work.ts';

/** Which part of a list. */
export interface PageRange {
  /** Position of the first row, from 1. */
  readonly first: number;
  readonly most: number;
}

/** A value at once, or a promise of it: a file is in this process, a server is not. */
export type Done<Later extends boolean, T> = Later extends true ? Promise<T> : T;

/** Where tasks are kept. */
export interface TaskDatabase<Later extends boolean> {
  /** Reads one consistent state, even while others write. */
  read<T>(work: Work<T>): Done<Later, T>;
  /** Changes tasks: all of the work is stored afterwards, or none of it. Waits while another process writes. */
  write<T>(work: Work<T>): Done<Later, T>;
  /** Changes tasks that are there: where there are none, nothing is made for them. */
  change<T>(work: Work<T>): Done<Later, T>;
  /** Does the same as `change`, and takes it back. */
  tryOut<T>(work: Work<T>): Done<Later, T>;
  /** Can be called more than once. */
  close(): Done<Later, void>;
}

/** The file with the tasks: opened when it is needed, made when the first task is written. */
export class TaskFile implements TaskDatabase<false> {
  readonly #file: string;
  #database: Database | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  read<T>(work: Work<T>): T {
    if (!this.#isThere()) return runWork(work, () => []);
    return this.#transact('BEGIN', 'COMMIT', work);
  }

  write<T>(work: Work<T>): T {
    const database = this.#open();
    return runTransaction(database, () => runWork(work, (request) => perform(database, request)));
  }

  change<T>(work: Work<T>): T {
    return this.#isThere() ? this.write(work) : runWork(work, () => []);
  }

  tryOut<T>(work: Work<T>): T {
    return this.#isThere() ? this.#transact('BEGIN IMMEDIATE', 'ROLLBACK', work) : runWork(work, () => []);
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  /** Before the first task there is no file. */
  #isThere(): boolean {
    return this.#database !== undefined || hasDatabase(this.#file);
  }

  #transact<T>(begin: string, end: string, work: Work<T>): T {
    const database = this.#open();
    database.execute(begin);
    try {
      return runWork(work, (request) => perform(database, request));
    } finally {
      // A full disk has rolled it back already.
      if (database.inTransaction) database.execute(end);
    }
  }

  #open(): Database {
    this.#database ??= openDatabase(this.#file, { steps: SCHEMA });
    return this.#database;
  }
}

/** Performs a request in a file. */
export function perform(database: Pick<Database, 'all'>, request: Request): readonly Row[] {
  if ('sql' in request) return database.all(request.sql, ...request.values);
  const hits = runWork(findHits(request.find, request.most), (inner) => perform(database, inner));
  return hits.map((id) => ({ id }));
}
