import type { ResultStore } from '@bae/core';
import { runTransaction, type Database } from './database.ts';
import { isSignedResult, signResult } from './record-chain.ts';
import { explainRefusedWrite } from './session-writer.ts';

const NEXT = `
  SELECT coalesce(max(number), 0) + 1 AS number FROM results WHERE session = ?1
  HAVING ?2 IS NULL OR ?2 = (SELECT epoch FROM sessions WHERE id = ?1)`;
const KEEP = 'INSERT INTO results (session, number, time, body, mac) VALUES (?, ?, ?, ?, ?)';
const GET = 'SELECT body, mac FROM results WHERE session = ? AND number = ?';
const NUMBERS = 'SELECT number FROM results WHERE session = ? ORDER BY number';
const HANDLE = /^result:([1-9]\d{0,14})$/;

interface KeptResultsOptions {
  readonly now: () => Date;
  readonly epoch?: number | undefined;
  readonly key?: Uint8Array | undefined;
}

/** Keeps the whole results of one session on disk. A resumed session continues the numbering. */
export class KeptResults implements ResultStore {
  readonly #database: Database;
  readonly #session: string;
  readonly #now: () => Date;
  readonly #epoch: number | null;
  readonly #key: Uint8Array | undefined;

  constructor(database: Database, session: string, { now, epoch, key }: KeptResultsOptions) {
    this.#database = database;
    this.#session = session;
    this.#now = now;
    this.#epoch = epoch ?? null;
    this.#key = key;
  }

  keep(text: string): string {
    const [session, time, body] = [this.#session, this.#now().getTime(), JSON.stringify(text)];
    return runTransaction(this.#database, () => {
      const row = this.#database.get(NEXT, session, this.#epoch);
      if (row === undefined) throw explainRefusedWrite(this.#database, session);
      const seq = Number(row['number']);
      const mac = this.#key === undefined ? null : signResult(this.#key, { session, seq, body });
      this.#database.run(KEEP, session, seq, time, body, mac);
      return `result:${seq}`;
    });
  }

  get(ref: string): string | undefined {
    const row = this.#read(ref);
    return row === undefined ? undefined : (JSON.parse(row.body) as string);
  }

  /**
   * True when a result exists and is signed with the user's key; undefined without a key.
   *
   * @param keys those with which it may be signed. Default: that of the store
   */
  isOwn(ref: string, keys: readonly Uint8Array[] | undefined = this.#key && [this.#key]): boolean | undefined {
    const row = this.#read(ref);
    return keys && row !== undefined && keys.some((key) => isSignedResult(key, row));
  }

  #read(ref: string) {
    const [, number] = HANDLE.exec(ref) ?? [];
    if (number === undefined) return undefined;
    const row = this.#database.get(GET, this.#session, Number(number));
    return row && { session: this.#session, seq: Number(number), body: String(row['body']), mac: row['mac'] };
  }

  handles(): readonly string[] {
    return this.#database.all(NUMBERS, this.#session).map((row) => `result:${Number(row['number'])}`);
  }
}
