import { createSecretKey, type KeyObject } from 'node:crypto';
import type { AgentEvent, SessionLog } from '@bae/core';
import { runTransaction, type Database } from './database.ts';
import { packBody } from './packed-body.ts';
import { chainRecord, signEvent } from './record-chain.ts';
import { toSearchable, toStorable } from './entries/search-text.ts';
import { makeEntry } from './entries/session-entry.ts';
import { FencedError, makeUnknownSessionError } from './store-error.ts';

/** Data besides the events that is needed to resume a session. */
export type SessionRecord = Parameters<NonNullable<SessionLog['record']>>[0];

/** Changes that an event or record makes in the row of its session. */
export interface Progress {
  readonly turn?: number;
  readonly call?: number;
  readonly messages?: 1;
  readonly entries?: 1;
  readonly prompt?: string;
}

const ADVANCE = `
  UPDATE sessions SET
    last_seq = last_seq + 1, last_turn = max(last_turn, ?1), last_call = max(last_call, ?2),
    messages = messages + ?3, prompt = coalesce(prompt, ?4), entries = entries + ?7
  WHERE id = ?5 AND coalesce(?6 = epoch, 1) RETURNING last_seq`;
const ADD_EVENT = `
  INSERT INTO events (session, seq, time, epoch, type, body, packed, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const ADD_RECORD = 'INSERT INTO records (session, seq, time, kind, body, packed, mac) VALUES (?, ?, ?, ?, ?, ?, ?)';
const LAST_MAC = 'SELECT mac FROM records WHERE session = ? ORDER BY seq DESC LIMIT 1';
const ADD_WORDS = 'INSERT INTO entry_words (rowid, content) VALUES (?, ?)';

interface WriterOptions {
  readonly now: () => Date;
  readonly key?: Uint8Array | undefined;
  /** Epoch that the writer holds. Default: none, so that writes never fail because of another worker. */
  readonly epoch?: number | undefined;
}

/** Writes one session. Events and records are on disk when a method returns. */
export class SessionWriter implements SessionLog {
  readonly id: string;
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #key: KeyObject | undefined;
  readonly #epoch: number | null;

  constructor(database: Database, id: string, { now, key, epoch }: WriterOptions) {
    this.id = id;
    this.#database = database;
    this.#now = now;
    this.#key = key && createSecretKey(key);
    this.#epoch = epoch ?? null;
  }

  append(event: AgentEvent): void {
    this.write(event);
  }

  /** Appends an event and returns its place. */
  write(event: AgentEvent): number {
    const time = this.#now().getTime();
    return runTransaction(this.#database, () => {
      const entry = makeEntry(event);
      const seq = this.#advance({ ...readProgress(event), ...(entry && { entries: 1 }) });
      const body = JSON.stringify(event);
      const mac = this.#key === undefined ? null : signEvent(this.#key, { session: this.id, seq, body });
      const kept = entry === undefined ? packBody(body) : { body, packed: null };
      const about = [this.id, seq, time, this.#epoch, event.type] as const;
      const row = this.#database.get(ADD_EVENT, ...about, kept.body, kept.packed, mac);
      if (entry !== undefined) this.#database.run(ADD_WORDS, Number(row?.['id']), toSearchable(entry.text).content);
      return seq;
    });
  }

  record(record: SessionRecord): void {
    const time = this.#now().getTime();
    runTransaction(this.#database, () => {
      const seq = this.#advance(record.kind === 'message' ? { messages: 1 } : {});
      const body = JSON.stringify(record);
      const kept = packBody(body);
      this.#database.run(ADD_RECORD, this.id, seq, time, record.kind, kept.body, kept.packed, this.#prove(seq, body));
    });
  }

  /** Computes the code of a record, which follows that of the last one; null without a key. */
  #prove(seq: number, body: string): string | null {
    if (this.#key === undefined) return null;
    const last = this.#database.get(LAST_MAC, this.id)?.['mac'];
    const before = typeof last === 'string' ? last : '';
    return chainRecord(this.#key, before, { session: this.id, seq, body });
  }

  /** Advances the session, and returns the sequence number of the next event or record. */
  #advance({ turn = 0, call = 0, messages, entries, prompt }: Progress): number {
    const values = [turn, call, messages ?? 0, prompt ?? null, this.id, this.#epoch, entries ?? 0] as const;
    const row = this.#database.get(ADVANCE, ...values);
    if (row === undefined) throw explainRefusedWrite(this.#database, this.id);
    return Number(row['last_seq']);
  }
}

/** Explains why nothing was written for a session. */
export function explainRefusedWrite(database: Database, session: string): Error {
  const isThere = database.get('SELECT 1 FROM sessions WHERE id = ?', session) !== undefined;
  return isThere ? new FencedError(session) : makeUnknownSessionError(session);
}

/** Reads the changes that an event makes in the row of its session. */
export function readProgress(event: AgentEvent): Progress {
  const { turn } = event;
  if (event.type === 'turn-start') return { turn, prompt: takeTitleLine(event.prompt) };
  if (event.type !== 'call-start' && event.type !== 'run-start') return { turn };
  const call = Number(event.id);
  return Number.isSafeInteger(call) ? { turn, call } : { turn };
}

/** Maximum length of a prompt in a list, in code points. */
const PROMPT_LENGTH = 60;

/** Returns the start of a prompt, in one line. */
function takeTitleLine(prompt: string): string {
  const points = Array.from(toStorable(prompt.slice(0, 1000)).replaceAll(/\s+/g, ' ').trim());
  return points.length <= PROMPT_LENGTH ? points.join('') : `${points.slice(0, PROMPT_LENGTH - 1).join('')}…`;
}
