import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConnectionOptions, type Connections } from './connections.ts';

/** Name under which the server tells that something about a session was committed. */
export const CHANNEL = 'bae';
/** Longest text of one notification, in bytes; the limit of the server is 8000. */
const LONGEST = 7500;
const PAUSE_MS = 500;
/** How often the connection is tried when nothing comes, in milliseconds. */
const PROBE_MS = 10_000;

type Listener = (live?: never) => void;

/**
 * Tells the watchers of a session, in every process, that something about it was committed. It is a wake-up and no
 * more: what is true is in the log, and after a lost connection all watchers are woken to look there.
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
   * Wakes the watchers of a session. Events that are appended do it by themselves.
   *
   * @param live plain JSON that is not kept; when it is too long, nobody gets it
   */
  notify(session: string, live?: unknown): void {
    const text = live === undefined ? session : `${session} ${JSON.stringify(live)}`;
    if (Buffer.byteLength(text) > LONGEST) return;
    // A notification that is lost is made up for by the next one, and by the watchers' own look at the log.
    this.#connections.query('SELECT pg_notify($1, $2)', [CHANNEL, text]).catch(() => undefined);
  }

  /** Calls a listener at every notification about a session. Returns the function that ends it. */
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
      // Not awaited: a connection whose other end is gone does not say goodbye.
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
    // What was committed while nobody listened.
    for (const session of this.#listeners.keys()) this.#wake(session);
    const isBroken = broken.then(() => true);
    // A connection can be gone without a word.
    while (!(await Promise.race([isBroken, sleep(PROBE_MS, false, { ref: false })]))) await client.query('SELECT 1');
  }

  #wake(payload: string): void {
    const [, session = payload, text] = /^(\S+) ([^]*)$/.exec(payload) ?? [];
    for (const listener of this.#listeners.get(session) ?? [])
      listener(text === undefined ? undefined : parseLive(text));
  }
}

/** Anybody may write to the channel: what is no JSON is a wake-up. */
function parseLive(text: string): never | undefined {
  try {
    return JSON.parse(text) as never;
  } catch {
    return undefined;
  }
}
