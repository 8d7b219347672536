import { createHmac, createSecretKey, timingSafeEqual, type Hmac, type KeyObject } from 'node:crypto';
import type { Row, Database } from './database.ts';

/** A secret key: its bytes, or an object of them, which is faster when it signs more than once. */
export type SigningKey = Uint8Array | KeyObject;

/** The fields of a record in a store that its code covers. */
export interface ChainedRecord {
  readonly session: string;
  readonly seq: number;
  readonly body: string;
}

/** Computes the code of a record, which proves that it follows the one before and was written with the key. */
export function chainRecord(key: SigningKey, before: string, { session, seq, body }: ChainedRecord): string {
  return startHmac(key)
    .update(JSON.stringify([before, session, seq, body]))
    .digest('hex');
}

/** Tests whether a record has the code that follows the one before. */
export function isChained(key: Uint8Array, before: string, record: ChainedRecord & { readonly mac: string }): boolean {
  const expected = Buffer.from(chainRecord(key, before, record));
  const given = Buffer.from(record.mac);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Bytes of the code of an event or a session: half of the hash, which is still too long to guess. */
const SIGNATURE_BYTES = 16;

/**
 * Computes the code of an event, which proves that it was written with the key in this place; others may be missing.
 */
export function signEvent(key: SigningKey, { session, seq, body }: ChainedRecord): Uint8Array {
  return signParts(key, ['event', session, seq, body]);
}

/** Computes the code of a kept result, whose number in its session is `seq`. */
export function signResult(key: Uint8Array, { session, seq, body }: ChainedRecord): Uint8Array {
  return signParts(key, ['result', session, seq, body]);
}

/** Tests whether a kept result has the correct code. */
export function isSignedResult(key: Uint8Array, result: ChainedRecord & { readonly mac: unknown }): boolean {
  return isSameCode(result.mac, signResult(key, result));
}

/** Tests whether an event has the correct code. */
export function isSignedEvent(key: Uint8Array, event: ChainedRecord & { readonly mac: unknown }): boolean {
  return isSameCode(event.mac, signEvent(key, event));
}

/** The data of a session that is known at its start. */
export interface SessionStart {
  readonly id: string;
  readonly label: string;
  readonly started: number;
  readonly cwd: string;
  /** As JSON. */
  readonly meta: string;
}

/** Reads the signed part of the row of a session. */
export function readSessionStart(row: Row): SessionStart {
  return {
    id: String(row['id']),
    label: String(row['label']),
    started: Number(row['started']),
    cwd: String(row['cwd']),
    meta: String(row['meta']),
  };
}

/** Computes the code of a session, which proves that it was started with the key. */
export function signSession(key: Uint8Array, { id, label, started, cwd, meta }: SessionStart): Uint8Array {
  return signParts(key, ['session', id, label, started, cwd, meta]);
}

/** Tests whether a session has the correct code. */
export function isSignedSession(key: Uint8Array, session: SessionStart & { readonly mac: unknown }): boolean {
  return isSameCode(session.mac, signSession(key, session));
}

function signParts(key: SigningKey, parts: readonly (string | number)[]): Uint8Array {
  return startHmac(key).update(JSON.stringify(parts)).digest().subarray(0, SIGNATURE_BYTES);
}

function startHmac(key: SigningKey): Hmac {
  // With a key object, because Node takes six times as long to find out that bytes are a key.
  return createHmac('sha256', key instanceof Uint8Array ? createSecretKey(key) : key);
}

function isSameCode(given: unknown, expected: Uint8Array): boolean {
  return given instanceof Uint8Array && given.length === expected.length && timingSafeEqual(given, expected);
}

interface SessionKeysOptions {
  readonly key?: Uint8Array | undefined;
  readonly keyOf?: ((cwd: string) => Uint8Array) | undefined;
}

/** The keys with which the words of a session may be signed: that of the store, and that of the folder it began in. */
export class SessionKeys {
  readonly #database: Database;
  readonly #key: Uint8Array | undefined;
  readonly #keyOf: SessionKeysOptions['keyOf'];
  readonly #known = new Map<string, readonly Uint8Array[]>();

  constructor(database: Database, { key, keyOf }: SessionKeysOptions) {
    this.#database = database;
    this.#key = key;
    this.#keyOf = keyOf;
  }

  /** Returns undefined if the store has no key: everything is trusted as it is. */
  of(session: string): readonly Uint8Array[] | undefined {
    if (this.#key === undefined || this.#keyOf === undefined) return this.#key && [this.#key];
    let keys = this.#known.get(session);
    if (keys === undefined) {
      const cwd = this.#database.get('SELECT cwd FROM sessions WHERE id = ?', session)?.['cwd'];
      keys = typeof cwd === 'string' && cwd !== '' ? [this.#key, this.#keyOf(cwd)] : [this.#key];
      this.#known.set(session, keys);
    }
    return keys;
  }
}
