import { randomBytes, randomInt } from 'node:crypto';
import type { Agent, ResultStore } from '@bae/core';
import type { RunningCall } from './held-calls.ts';

/** Maximum number of sessions of clients that have no connection; the least recently used one is closed first. */
const MOST_SESSIONS = 16;
/** Maximum number of kept results, and of their characters in total; the oldest are removed first. */
const MOST_RESULTS = 500;
const MOST_CHARACTERS = 64 * 1024 * 1024;

interface ClientsOptions {
  readonly agent: Agent;
  /** Time that a call which may change something keeps later ones waiting at most, in milliseconds. */
  readonly patienceMs: number;
}

/** Sessions of one client, with its kept results: their variables and changes are its own. */
export class ClientSessions {
  readonly results: ResultStore;
  /** Reads wait for no other call. */
  readonly readers: Lanes;
  readonly actors: Lanes;

  constructor(number: number, { agent, patienceMs }: ClientsOptions, results: ResultStore) {
    // One model uses all of them: what one has read, another may copy.
    const first = agent.session(`mcp-${number}`, { results });
    const own = { results, sharesReads: true };
    this.results = results;
    const open = (kind: string) => (count: number) => first.session(`mcp-${number}-${kind}-${count}`, own);
    this.readers = new Lanes({ openSession: open('read'), patienceMs: 0 });
    this.actors = new Lanes({ openSession: open('act'), patienceMs });
  }

  /** Ends what its sessions have started; a failure to do so is nobody's to handle. */
  async close(): Promise<void> {
    await Promise.allSettled([this.readers.close(), this.actors.close()]);
  }
}

/**
 * Keeps the sessions of clients apart. A client with a connection has those of the connection. In the stateless revision
 * nothing identifies a client, so it gets a handle that cannot be guessed, and sends it as an argument.
 */
export class Clients {
  readonly #options: ClientsOptions;
  readonly #ofConnections = new WeakMap<object, ClientSessions>();
  readonly #byHandle = new Map<string, ClientSessions>();
  /** Results of requests without a connection: a handle is known only to who got it. */
  readonly #results = keepResults(() => String(randomInt(2 ** 47, 2 ** 48 - 1)));
  #common: ClientSessions | undefined;
  #count = 0;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  ofConnection(connection: object): ClientSessions {
    const known = this.#ofConnections.get(connection) ?? this.#make(keepResults(countUp()));
    this.#ofConnections.set(connection, known);
    return known;
  }

  /** Returns the sessions with a handle; undefined if there are none any more. */
  find(handle: string): ClientSessions | undefined {
    const found = this.#byHandle.get(handle);
    if (found === undefined) return undefined;
    this.#byHandle.delete(handle);
    this.#byHandle.set(handle, found);
    return found;
  }

  /** Opens sessions for a client without a connection. */
  open(): readonly [handle: string, sessions: ClientSessions] {
    const handle = randomBytes(12).toString('base64url');
    const sessions = this.#make(this.#results);
    this.#byHandle.set(handle, sessions);
    const [oldest] = this.#byHandle.keys();
    if (this.#byHandle.size > MOST_SESSIONS && oldest !== undefined) {
      void this.#byHandle.get(oldest)?.close();
      this.#byHandle.delete(oldest);
    }
    return [handle, sessions];
  }

  /** Sessions of requests that need none of their own. */
  get common(): ClientSessions {
    return (this.#common ??= this.#make(this.#results));
  }

  async end(connection: object): Promise<void> {
    const known = this.#ofConnections.get(connection);
    this.#ofConnections.delete(connection);
    await known?.close();
  }

  #make(results: ResultStore): ClientSessions {
    return new ClientSessions(++this.#count, this.#options, results);
  }
}

function countUp(): () => string {
  let count = 0;
  return () => String(++count);
}

function keepResults(makeNumber: () => string): ResultStore {
  const kept = new Map<string, string>();
  let characters = 0;
  return {
    keep: (text) => {
      const ref = `result:${makeNumber()}`;
      kept.set(ref, text);
      characters += text.length;
      for (const [old, { length }] of kept) {
        if (kept.size <= MOST_RESULTS && characters <= MOST_CHARACTERS) break;
        if (old === ref) break;
        kept.delete(old);
        characters -= length;
      }
      return ref;
    },
    get: (ref) => kept.get(ref),
  };
}

/** Maximum number of sessions in which calls run at the same time. */
const MOST_BUSY_SESSIONS = 16;

export interface LanesOptions {
  readonly openSession: (number: number) => Agent;
  /** Time that a call keeps later ones waiting at most, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * Runs calls in their order, so that a change comes after the one before it; but a call that takes long, or waits for a
 * person who may never reply, does not keep the others waiting: they go on in another session.
 */
export class Lanes {
  readonly #options: LanesOptions;
  /** Sessions that are free, by their numbers. */
  readonly #idle = new Map<number, Agent>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #opened: Agent[] = [];
  /** Resolves when the next call may begin. */
  #gate: Promise<unknown> = Promise.resolve();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  async do<T>(call: Pick<RunningCall, 'whenHeld'>, work: (session: Agent) => Promise<T>): Promise<T> {
    const { patienceMs } = this.#options;
    const before = this.#gate;
    const { promise, resolve: letOthersBegin } = Promise.withResolvers<void>();
    this.#gate = promise;
    await before;
    const [number, session] = await this.#takeSession();
    if (patienceMs === 0) letOthersBegin();
    const timer = setTimeout(letOthersBegin, patienceMs);
    void call.whenHeld?.then(letOthersBegin);
    const running = work(session).finally(() => {
      clearTimeout(timer);
      this.#running.delete(running);
      this.#idle.set(number, session);
      letOthersBegin();
    });
    this.#running.add(running);
    return running;
  }

  /** Closes every session. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map((session) => session.close()));
  }

  /** Takes the session that was opened first of those that are free, so that calls one after the other share one. */
  async #takeSession(): Promise<readonly [number: number, session: Agent]> {
    const { openSession } = this.#options;
    while (this.#idle.size === 0 && this.#opened.length === MOST_BUSY_SESSIONS)
      await Promise.race(this.#running).catch(() => undefined);
    if (this.#idle.size === 0) {
      const opened = openSession(this.#opened.length + 1);
      return [this.#opened.push(opened), opened];
    }
    const number = Math.min(...this.#idle.keys());
    const session = this.#idle.get(number)!;
    this.#idle.delete(number);
    return [number, session];
  }
}
