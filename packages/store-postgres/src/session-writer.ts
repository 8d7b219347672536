import type { AgentEvent } from '@bae/core';
import { FencedError } from '@bae/store';
import {
  chainRecord,
  makeEntry,
  makeUnknownSessionError,
  readProgress,
  signEntry,
  signResult,
  toSearchable,
  toWords,
  type Progress,
  type SessionRecord,
} from '@bae/store/backend';
import type { PoolClient } from 'pg';

import type { Connections } from './connections.ts';
import { CHANNEL } from './notifications.ts';

/** A session and the epoch that its writer holds. Without an epoch, writes never fail because of another worker. */
export interface Held {
  readonly session: string;
  readonly epoch?: number | undefined;
}

export interface WriterOptions extends Held {
  readonly now: () => Date;
  readonly key?: Uint8Array | undefined;
}

/** New results as columns: their numbers, texts and codes. */
type ResultColumns = readonly [readonly number[], readonly string[], readonly (Uint8Array | null)[]];

/** Changes no row for a writer with an earlier epoch, so that the rest of the statement has no effect either. */
const ADVANCE = `
  UPDATE sessions SET
    last_seq = last_seq + 1, last_turn = greatest(last_turn, $3), last_call = greatest(last_call, $4),
    messages = messages + $5, prompt = coalesce(prompt, $6), entries = entries + $7
  WHERE id = $1 AND ($2::bigint IS NULL OR epoch = $2) RETURNING last_seq, last_mac`;
/** Appends in one statement: one transaction and one round trip to the server. */
const APPEND = `
  WITH place AS (${ADVANCE}),
  event AS (INSERT INTO events (session, seq, time, epoch, type, body) SELECT $1, last_seq, $8, $2, $9, $10 FROM place),
  kept AS (
    INSERT INTO results (session, number, time, body, mac)
    SELECT $1, number, $8, text, code FROM place, unnest($11::bigint[], $12::text[], $13::bytea[]) AS one (number, text, code)
  ),
  entry AS (
    INSERT INTO entries (session, time, channel, direction, content, meta, words, mac)
    SELECT $1, $8, $14::text, $15, $16, $17, to_tsvector('simple', $18), $19 FROM place WHERE $14::text IS NOT NULL
  )
  SELECT last_seq, pg_notify('${CHANNEL}', $1) FROM place`;
const ADD_RECORD = 'INSERT INTO records (session, seq, time, kind, body, mac) VALUES ($1, $2, $3, $4, $5, $6)';
const SET_MAC = 'UPDATE sessions SET last_mac = $2 WHERE id = $1';
const ADD_RESULTS = `
  INSERT INTO results (session, number, time, body, mac)
  SELECT $1, number, $2, text, code FROM unnest($3::bigint[], $4::text[], $5::bytea[]) AS one (number, text, code)`;

/** Writes one session. Events and records are stored when the promise of a method resolves. */
export class PostgresWriter {
  readonly id: string;
  readonly results: PendingResults;
  readonly #connections: Connections;
  readonly #options: WriterOptions;
  #failure: Error | undefined;

  constructor(connections: Connections, options: WriterOptions, results = new PendingResults([])) {
    this.id = options.session;
    this.results = results;
    this.#connections = connections;
    this.#options = options;
  }

  async append(event: AgentEvent): Promise<void> {
    await this.write(event);
  }

  /** Appends an event and returns its place. */
  async write(event: AgentEvent): Promise<number> {
    const time = this.#options.now().getTime();
    const entry = this.#listEntry(event);
    const progress = { ...readProgress(event), ...(entry[0] !== null && { entries: 1 as const }) };
    const values = [...this.#listProgress(progress), time, event.type, JSON.stringify(event)];
    const written = await this.#write(async (kept) => {
      const { rows } = await this.#connections.query(APPEND, [...values, ...kept, ...entry]);
      return rows[0] ?? this.#refuse();
    });
    return Number(written['last_seq']);
  }

  async record(record: SessionRecord): Promise<void> {
    const time = this.#options.now().getTime();
    const body = JSON.stringify(record);
    await this.#write((kept) =>
      this.#connections.transaction(async (client) => {
        const { seq, before } = await this.#advance(client, record.kind === 'message' ? { messages: 1 } : {});
        const { key } = this.#options;
        const mac = key === undefined ? null : chainRecord(key, before, { session: this.id, seq, body });
        await client.query(ADD_RECORD, [this.id, seq, time, record.kind, body, mac]);
        await client.query(SET_MAC, [this.id, mac ?? '']);
        if (kept[0].length > 0) await client.query(ADD_RESULTS, [this.id, time, ...kept]);
      }),
    );
  }

  /**
   * Writes once. After a failure it is unknown whether anything was written, so this writer refuses further writes: the
   * worker that takes over the session reads what was stored.
   */
  async #write<T>(write: (kept: ResultColumns) => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure;
    const { key } = this.#options;
    try {
      return await this.results.flush((numbers, texts) => {
        const sign = (body: string, index: number) =>
          key === undefined ? null : signResult(key, { session: this.id, seq: numbers[index]!, body });
        return write([numbers, texts, texts.map(sign)]);
      });
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }

  async #advance(client: PoolClient, progress: Progress): Promise<{ readonly seq: number; readonly before: string }> {
    const { rows } = await client.query<Record<string, unknown>>(ADVANCE, this.#listProgress(progress));
    const row = rows[0] ?? (await this.#refuse());
    return { seq: Number(row['last_seq']), before: String(row['last_mac']) };
  }

  #listProgress({ turn = 0, call = 0, messages, prompt, entries }: Progress): unknown[] {
    return [this.id, this.#options.epoch ?? null, turn, call, messages ?? 0, prompt ?? null, entries ?? 0];
  }

  #listEntry(event: AgentEvent): readonly (string | Uint8Array | null)[] {
    const entry = makeEntry(event);
    if (entry === undefined) return [null, null, null, null, null, null];
    const { content, meta } = toSearchable(entry.text);
    const parts = [entry.channel, entry.direction, content, JSON.stringify({ ...entry.meta, ...meta })];
    const { key } = this.#options;
    return [...parts, toWords(content).join(' '), key === undefined ? null : signEntry(key, this.id, parts)];
  }

  async #refuse(): Promise<never> {
    const { rows } = await this.#connections.query('SELECT 1 FROM sessions WHERE id = $1', [this.id]);
    throw rows.length === 0 ? makeUnknownSessionError(this.id) : new FencedError(this.id);
  }
}

export const HANDLE = /^result:([1-9]\d{0,14})$/;

/**
 * The whole results of one session, all in memory, because an agent reads them synchronously. New ones are written with
 * the next event or record, before anything can refer to them after a restart.
 */
export class PendingResults {
  readonly #texts: string[];
  #pending: number[] = [];

  constructor(texts: readonly string[]) {
    this.#texts = [...texts];
  }

  keep(text: string): string {
    const number = this.#texts.push(text);
    this.#pending.push(number);
    return `result:${number}`;
  }

  get(ref: string): string | undefined {
    const [, number] = HANDLE.exec(ref) ?? [];
    return number === undefined ? undefined : this.#texts[Number(number) - 1];
  }

  handles(): readonly string[] {
    return this.#texts.map((_, index) => `result:${index + 1}`);
  }

  /** Passes the new results to a write; if it fails, they stay new. */
  async flush<T>(write: (numbers: readonly number[], texts: readonly string[]) => Promise<T>): Promise<T> {
    const numbers = this.#pending;
    this.#pending = [];
    try {
      return await write(
        numbers,
        numbers.map((number) => JSON.stringify(this.#texts[number - 1])),
      );
    } catch (error) {
      this.#pending = [...numbers, ...this.#pending];
      throw error;
    }
  }
}
