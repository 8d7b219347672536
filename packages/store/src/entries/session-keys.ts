import type { Database } from '../database.ts';

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
