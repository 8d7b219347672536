import type { ResultStore } from '@bae/core';
import { runTransaction, type Database } from './database.ts';
import { explainRefusedWrite } from './session-writer.ts';

const KEEP = `
  INSERT INTO results (session, number, time, body)
  SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM results WHERE session = ?1
  HAVING ?4 IS NULL OR ?4 = (SELECT epoch FROM sessions WHERE id = ?1)
  RETURNING number`;
const GET = 'SELECT body FROM results WHERE session = ? AND number = ?';
const NUMBERS = 'SELECT number FROM results WHERE session = ? ORDER BY number';
const HANDLE = /^result:([1-9]\d{0,14})$/;

/** Keeps whole texts of one session on disk. A resumed session continues the numbering. */
export class KeptResults implements ResultStore {
  readonly #database: Database;
  readonly #session: string;
  readonly #now: () => Date;
  readonly #epoch: number | null;

  constructor(
    database: Database,
    session: string,
    { now, epoch }: { readonly now: () => Date; readonly epoch?: number | undefined },
  ) {
    this.#database = database;
    this.#session = session;
    this.#now = now;
    this.#epoch = epoch ?? null;
  }

  keep(text: string): string {
    const values = [this.#session, this.#now().getTime(), JSON.stringify(text), this.#epoch] as const;
    const row = runTransaction(this.#database, () => this.#database.get(KEEP, ...values));
    if (row === undefined) throw explainRefusedWrite(this.#database, this.#session);
    return `result:${Number(row['number'])}`;
  }

  get(ref: string): string | undefined {
    const [, number] = HANDLE.exec(ref) ?? [];
    if (number === undefined) return undefined;
    const row = this.#database.get(GET, this.#session, Number(number));
    return row === undefined ? undefined : (JSON.parse(String(row['body'])) as string);
  }

  handles(): readonly string[] {
    return this.#database.all(NUMBERS, this.#session).map((row) => `result:${Number(row['number'])}`);
  }
}
