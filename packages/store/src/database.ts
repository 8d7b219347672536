import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { worded } from './driver-error.ts';

/** What a column can be given. */
export type Value = SQLInputValue;

/** One row as a plain object, by column name. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * An open database: statements in, plain objects out.
 *
 * Every method throws a `StoreError` when the database cannot be read or written. Values go in as
 * parameters, never as parts of a statement. Made by `openDatabase` alone.
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
    worded(this.file, () => this.#driver.exec(sql));
  }

  /** Executes one statement and returns how many rows it changed. */
  run(sql: string, ...values: readonly Value[]): number {
    return worded(this.file, () => Number(this.#prepared(sql).run(...values).changes));
  }

  /** The first row of a query, or undefined when there is none. */
  get(sql: string, ...values: readonly Value[]): Row | undefined {
    const row = worded(this.file, () => this.#prepared(sql).get(...values));
    return row === undefined ? undefined : { ...row };
  }

  /** All rows of a query. */
  all(sql: string, ...values: readonly Value[]): readonly Row[] {
    return worded(this.file, () => this.#prepared(sql).all(...values)).map((row) => ({ ...row }));
  }

  /** Lets go of the file. Called once or more. */
  close(): void {
    this.#statements.clear();
    if (this.#driver.isOpen) this.#driver.close();
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#driver.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
