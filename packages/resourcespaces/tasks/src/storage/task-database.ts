import { hasDatabase, openDatabase, runTransaction, type Database, type Row } from '@bae/store';
import { findHits } from './search-tasks.ts';
import { SCHEMA } from './task-schema.ts';
import { runWork, type Request, type Work } from './task-place.ts';

/** A value, or a promise of it: a file is accessed synchronously, a server is not. */
export type Done<Later extends boolean, T> = Later extends true ? Promise<T> : T;

/** The storage of tasks. */
export interface TaskDatabase<Later extends boolean> {
  /** Reads one consistent state, even while other processes write. */
  read<T>(work: Work<T>): Done<Later, T>;
  /** Changes tasks: all of the work is stored, or none of it. Waits while another process writes. */
  write<T>(work: Work<T>): Done<Later, T>;
  /** Changes existing tasks; does not create storage if there are no tasks yet. */
  change<T>(work: Work<T>): Done<Later, T>;
  /** Does the same as `change`, and then undoes it. */
  tryOut<T>(work: Work<T>): Done<Later, T>;
  /** Closes the storage. Can be called more than once. */
  close(): Done<Later, void>;
}

/** The file with the tasks: opened on first use, and created when the first task is written. */
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
    return runTransaction(database, () => runWork(work, (request) => performInFile(database, request)));
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

  /** Returns false before the first task is written, when the file does not exist. */
  #isThere(): boolean {
    return this.#database !== undefined || hasDatabase(this.#file);
  }

  #transact<T>(begin: string, end: string, work: Work<T>): T {
    const database = this.#open();
    database.execute(begin);
    try {
      return runWork(work, (request) => performInFile(database, request));
    } finally {
      // If the disk is full, it has already been rolled back.
      if (database.inTransaction) database.execute(end);
    }
  }

  #open(): Database {
    this.#database ??= openDatabase(this.#file, { steps: SCHEMA });
    return this.#database;
  }
}

export function performInFile(database: Pick<Database, 'all'>, request: Request): readonly Row[] {
  if ('sql' in request) return database.all(request.sql, ...request.values);
  const hits = runWork(findHits(request.find, request.most), (inner) => performInFile(database, inner));
  return hits.map((id) => ({ id }));
}
