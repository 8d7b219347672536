import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConnectionOptions, type Connections } from './connections.ts';

/** Name of the channel on which the server announces that something about a session was committed. */
export const CHANNEL = 'bae';
/** Maximum length of one notification, in bytes; the limit of the server is 8000. */
const LONGEST = 7500;
const PAUSE_MS = 500;
/** Interval at which an idle connection is tested, in milliseconds. */
const PROBE_MS = 10_000;

type Listener = (live?: never) => void;

/**
 * Tells the watchers of a session, in every process, that something about it was committed. A notification only wakes
 * them up: the log has the actual data, and after a lost connection all watchers are woken to read it.
 */
export class Notifications {
  readonly #connections: Connections;
  readonly #url: string;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #end = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(connections: Connections, url: string) {
    this.#connections = connections;
    this.#url = url;
  }

  /**
   * Wakes the watchers of a session. Appending an event does so automatically.
   *
   * @param live plain JSON that is not stored; when it is too long, it is not sent
   */
  notify(session: string, live?: unknown): void {
    const text = live === undefined ? session : `${session} ${JSON.stringify(live)}`;
    if (Buffer.byteLength(text) > LONGEST) return;
    // A lost notification is harmless: the next one, or the watchers' own check of the log, makes up for it.
    this.#connections.query('SELECT pg_notify($1, $2)', [CHANNEL, text]).catch(() => undefined);
  }

  /** Calls a listener on every notification about a session. Returns a function that removes the listener. */
  watch(session: string, listener: Listener): () => void {
    this.#loop ??= this.#listen();
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#loop;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const client = new pg.Client(readConnectionOptions(this.#url));
      await this.#listenWith(client).catch(() => undefined);
      // Not awaited: if the other end is gone, the connection is never closed properly.
      client.end().catch(() => undefined);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Listens until the connection breaks. */
  async #listenWith(client: pg.Client): Promise<void> {
    const broken = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      this.#end.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('notification', ({ payload = '' }) => this.#wake(payload));
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    // Wake the watchers for commits that happened before listening began.
    for (const session of this.#listeners.keys()) this.#wake(session);
    const isBroken = broken.then(() => true);
    // A connection can be lost silently.
    while (!(await Promise.race([isBroken, sleep(PROBE_MS, false, { ref: false })]))) await client.query('SELECT 1');
  }

  #wake(payload: string): void {
    const [, session = payload, text] = /^(\S+) ([^]*)$/.exec(payload) ?? [];
    for (const listener of this.#listeners.get(session) ?? [])
      listener(text === undefined ? undefined : parseLive(text));
  }
}

/** Parses the JSON of a notification. Anyone may write to the channel: anything that is not JSON is only a wake-up. */
function parseLive(text: string): never | undefined {
  try {
    return JSON.parse(text) as never;
  } catch {
    return undefined;
  }
}
