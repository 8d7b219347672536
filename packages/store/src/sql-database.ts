import { runTransaction, type Database, type Row } from './database.ts';
import { openDatabase, type DatabaseOptions } from './open-database.ts';

/**
 * The value of a column: booleans are 0 or 1, JSON is a string, times are milliseconds since 1970. Strings have no NUL.
 */
export type SqlValue = string | number | null;

/** Statements with placeholders `$1`, `$2`, … for values, in the SQL that SQLite and PostgreSQL have in common. */
export interface SqlQueries {
  /** The first row, or undefined when there is none. */
  get(sql: string, ...values: readonly SqlValue[]): Promise<Row | undefined>;
  all(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>;
}

/** Tables in a file or on a server. Every method throws a `StoreError` when they cannot be read or written. */
export interface SqlDatabase extends SqlQueries {
  /**
   * Does work in one transaction: either all of it is stored, or none of it. The work must use only its argument.
   *
   * Other transactions may run at the same time, so to read and change a row, change it first.
   */
  transaction<T>(work: (queries: SqlQueries) => Promise<T>): Promise<T>;
  /** Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Opens tables in an SQLite file, or creates them.
 *
 * @param steps statements that migrate each version of the tables to the next: never changed, only added
 * @throws StoreError as `openDatabase` does
 */
export function openSqlDatabase(
  file: string,
  { steps, busyMs }: DatabaseOptions & { readonly steps: readonly string[] },
): SqlDatabase {
  return new FileDatabase(openDatabase(file, { steps, ...(busyMs !== undefined && { busyMs }) }));
}

/**
 * The last transaction that this process began on each file. If a transaction waited in SQLite for another one of the
 * same process, it would block the process, and therefore also the transaction that it waits for.
 */
const LAST = new Map<string, Promise<unknown>>();

/** Queries of one connection: queries outside a transaction wait until it is over. */
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
