import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { convertErrors, makeNewerError, readBaeVersion } from './store-error.ts';

/** The value of a column, on input. */
export type Value = SQLInputValue;

/** One row as a plain object, by column name. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * An open database: statements in, plain objects out.
 *
 * Every method throws a `StoreError` when the database cannot be read or written. Pass values as parameters,
 * never as parts of a statement. Only `openDatabase` creates instances.
 */
export class Database {
  /** Absolute path. */
  readonly file: string;
  readonly #driver: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(driver: DatabaseSync, file: string) {
    this.#driver = driver;
    this.file = file;
  }

  get inTransaction(): boolean {
    return this.#driver.isOpen && this.#driver.isTransaction;
  }

  /** Executes any number of statements without parameters. */
  execute(sql: string): void {
    convertErrors(this.file, () => this.#driver.exec(sql));
  }

  /** Executes one statement and returns how many rows it changed. */
  run(sql: string, ...values: readonly Value[]): number {
    return convertErrors(this.file, () => Number(this.#prepare(sql).run(...values).changes));
  }

  /** The first row of a query, or undefined when there is none. */
  get(sql: string, ...values: readonly Value[]): Row | undefined {
    const row = convertErrors(this.file, () => this.#prepare(sql).get(...values));
    return row === undefined ? undefined : { ...row };
  }

  /** All rows of a query. */
  all(sql: string, ...values: readonly Value[]): readonly Row[] {
    return convertErrors(this.file, () => this.#prepare(sql).all(...values)).map((row) => ({ ...row }));
  }

  /** Defines a function that tests a text, for statements of this connection. */
  defineTest(name: string, test: (text: string) => boolean): void {
    this.#driver.function(name, { deterministic: true }, (value) => (typeof value === 'string' && test(value) ? 1 : 0));
  }

  /** Closes the file. Can be called more than once. */
  close(): void {
    this.#statements.clear();
    if (this.#driver.isOpen) this.#driver.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#driver.prepare(sql)));
    return statement;
  }
}

/**
 * Does work in one transaction: either all of it is on disk afterwards, or none of it.
 *
 * The transaction begins as a writer, which waits for its turn. One that begins as a reader and writes later fails at
 * once if another process has written in between.
 *
 * @param work synchronous: its reads and writes are done when it returns
 * @throws what `work` throws; StoreError when the database cannot be written
 */
export function runTransaction<T>(database: Database, work: () => T): T {
  // Prepared like all others, because parsing these takes as long as half of a small transaction.
  database.run('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.run('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/**
 * Does work in one transaction without waiting for the disk. It is on disk together with the next transaction; a power
 * failure before takes it away.
 */
export function runTransactionSoon<T>(database: Database, work: () => T): T {
  // What was not waited for must not be moved from the log to the database.
  database.execute('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0');
  try {
    return runTransaction(database, work);
  } finally {
    database.execute('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000');
  }
}

function rollBack(database: Database): void {
  try {
    // When the disk is full, SQLite has already rolled back.
    if (database.inTransaction) database.execute('ROLLBACK');
  } catch {
    // The first error is the cause, and without a commit nothing is stored.
  }
}

/**
 * Migrates a database to the newest version, with one transaction per step. Its version is the number of completed
 * steps; several processes may migrate at the same time. The table `bae_migrations` has the version of bae that took
 * each step.
 *
 * @throws StoreError for a database of a later version, which is left unchanged; it names the version of bae that it needs
 */
export function migrate(database: Database, steps: readonly string[]): void {
  while (readSchemaVersion(database) < steps.length) runTransaction(database, () => takeStep(database, steps));
  const version = readSchemaVersion(database);
  if (version > steps.length)
    throw makeNewerError(
      { subject: `${database.file}: it was`, version, known: steps.length, needs: readMigrator(database, version) },
      'use another file: --db FILE',
    );
}

const MIGRATIONS = 'bae_migrations';

/** Reads the version of bae that migrated a database to one of its versions; undefined for an early bae. */
function readMigrator(database: Database, version: number): string | undefined {
  if (database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", MIGRATIONS) === undefined)
    return undefined;
  const row = database.get(`SELECT bae FROM ${MIGRATIONS} WHERE version = ?`, version);
  return row && String(row['bae']);
}

function takeStep(database: Database, steps: readonly string[]): void {
  // Read again, because another process may have been faster.
  const version = readSchemaVersion(database);
  const step = steps[version];
  if (step === undefined) return;
  database.execute(step);
  database.execute(`CREATE TABLE IF NOT EXISTS ${MIGRATIONS} (version INTEGER PRIMARY KEY, bae TEXT NOT NULL) STRICT`);
  database.run(`INSERT OR REPLACE INTO ${MIGRATIONS} VALUES (?, ?)`, version + 1, readBaeVersion());
  database.execute(`PRAGMA user_version = ${version + 1}`);
}

function readSchemaVersion(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version']);
}
