import { runTransaction, type Database, type Row } from './database.ts';
import { openDatabase, type DatabaseOptions } from './open-database.ts';

/** The value of a column: truth is 0 or 1, JSON a text, a time milliseconds since 1970. Texts have no NUL. */
export type SqlValue = string | number | null;

/** Statements with places `$1`, `$2`, … for their values, in the SQL that SQLite and PostgreSQL have in common. */
export interface SqlQueries {
  /** The first row, or undefined when there is none. */
  get(sql: string, ...values: readonly SqlValue[]): Promise<Row | undefined>;
  all(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Returns how many rows were changed. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>;
}

/** Tables in a file or on a server. Every method throws a `StoreError` when they cannot be read or written. */
export interface SqlDatabase extends SqlQueries {
  /**
   * Does some work so that afterwards all of it is kept, or none of it. Inside, nothing but the argument is used.
   *
   * Other transactions may run at the same time: a row that is read and changed is changed first.
   */
  transaction<T>(work: (queries: SqlQueries) => Promise<T>): Promise<T>;
  /** Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Opens tables in an SQLite file, or makes them.
 *
 * @param steps statements that lead from each version of the tables to the next: never changed, only added
 * @throws StoreError as `openDatabase` does
 */
export function openSqlDatabase(
  file: string,
  { steps, busyMs }: DatabaseOptions & { readonly steps: readonly string[] },
): SqlDatabase {
  return new FileDatabase(openDatabase(file, { steps, ...(busyMs !== undefined && { busyMs }) }));
}

/**
 * What was last begun with each file, in this process. A transaction that waits for another one of the same process by
 * the means of SQLite would stop this process, and with it the one that it waits for.
 */
const LAST = new Map<string, Promise<unknown>>();

/** Queries of one connection: those outside a transaction wait until it is over. */
class FileDatabase implements SqlDatabase {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(sql: string, ...values: readonly SqlValue[]): Promise<Row | undefined> {
    return this.#queue(async () => this.#database.get(toSqlite(sql), ...values));
  }

  all(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#queue(async () => this.#database.all(toSqlite(sql), ...values));
  }

  run(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return this.#queue(async () => runTransaction(this.#database, () => this.#database.run(toSqlite(sql), ...values)));
  }

  transaction<T>(work: (queries: SqlQueries) => Promise<T>): Promise<T> {
    const database = this.#database;
    const queries: SqlQueries = {
      get: async (sql, ...values) => database.get(toSqlite(sql), ...values),
      all: async (sql, ...values) => database.all(toSqlite(sql), ...values),
      run: async (sql, ...values) => database.run(toSqlite(sql), ...values),
    };
    return this.#queue(async () => {
      database.execute('BEGIN IMMEDIATE');
      try {
        const result = await work(queries);
        database.execute('COMMIT');
        return result;
      } catch (error) {
        if (database.inTransaction) database.execute('ROLLBACK');
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.#queue(async () => this.#database.close());
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const { file } = this.#database;
    const result = (LAST.get(file) ?? Promise.resolve()).then(work);
    const over = result.catch(() => undefined);
    LAST.set(file, over);
    return result;
  }
}

function toSqlite(sql: string): string {
  return sql.replaceAll(/\$(\d+)/g, '?$1');
}
