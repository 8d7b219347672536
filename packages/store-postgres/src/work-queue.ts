import { StoreError } from '@bae/store';
import type { PgBoss } from 'pg-boss';
import { PgBoss as Boss } from 'pg-boss';
import { readConnectionOptions } from './connections.ts';

const QUEUE = 'bae-sessions';
/** Time after which a silent worker counts as dead, in seconds; the minimum of the queue is 10. */
const HEARTBEAT = 10;
const DAY = 24 * 60 * 60;
/** Practically unlimited retries: the limits of the session itself stop endless work on it. */
const MOST_RETRIES = 1_000_000;

/** Signals that end the work on a session. */
export interface WorkSignals {
  /** Aborts when the running call should be finished and the rest left to another worker. */
  readonly drain: AbortSignal;
  /** Aborts when work must stop at once: another worker has the session, or time is up. */
  readonly stop: AbortSignal;
}

/** Works on a session: resolves when no prompt waits in it, or a signal aborts; rejects to be tried again. */
export type SessionWork = (session: string, signals: WorkSignals) => Promise<void>;

export interface WorkOptions {
  readonly work: SessionWork;
  /** Maximum number of sessions to work on at the same time. */
  readonly most: number;
}

export interface WorkQueueOptions {
  readonly url: string;
  /** Receives unexpected errors; the queue continues. */
  readonly report: (error: Error) => void;
  /** Time after which a query without an answer fails, in milliseconds. Default: as for other queries, 30000. */
  readonly queryMs?: number;
}

/**
 * Queue of sessions with waiting prompts, for any number of workers. One worker at a time works on a session; if it
 * dies, another one takes over within 20 seconds.
 */
export class WorkQueue {
  readonly #boss: PgBoss;
  readonly #drain = new AbortController();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** @throws StoreError for an invalid address; Error when the database cannot be reached */
  static async open({ url, report, queryMs }: WorkQueueOptions): Promise<WorkQueue> {
    const { connectionString, connectionTimeoutMillis, keepAlive, query_timeout } = readConnectionOptions(url);
    // The queue hands these on to `pg`. If a connection broke without a word, its queries would wait forever, and with
    // all of them the work and the end of a worker.
    const limits = { keepAlive, query_timeout: queryMs ?? query_timeout };
    const boss = new Boss({
      ...limits,
      connectionString: connectionString!,
      connectionTimeoutMillis: connectionTimeoutMillis!,
      application_name: 'bae queue',
      max: 4,
      schedule: false,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
      useListenNotify: true,
    });
    // Some of them are not errors but objects with the properties of one.
    boss.on('error', (error) => report(toQueueError(error)));
    await boss.start({ attempts: 5 });
    await boss.createQueue(QUEUE, {
      policy: 'stately',
      heartbeatSeconds: HEARTBEAT,
      expireInSeconds: DAY,
      retryLimit: MOST_RETRIES,
      retryDelay: 0,
      notify: true,
    });
    return new WorkQueue(boss);
  }

  /** Queues a session in which a prompt waits. Can be called more than once for the same session. @throws StoreError */
  async dispatch(session: string): Promise<void> {
    await this.#boss.send(QUEUE, { session }, { singletonKey: session }).catch((error: unknown) => {
      throw toQueueError(error);
    });
  }

  /** Begins to work on sessions. */
  async work({ work, most }: WorkOptions): Promise<void> {
    const options = { localConcurrency: most, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 };
    await this.#boss.work<{ session: string }>(QUEUE, options, async ([job]) => {
      const { session } = job!.data;
      const running = this.#workOn(session, { work, lost: job!.signal });
      this.#running.add(running);
      await running.finally(() => this.#running.delete(running));
    });
  }

  /**
   * Accepts no more sessions, lets the running calls finish, and leaves the sessions to other workers.
   *
   * @param signal ends the waiting when it aborts
   */
  async drain(signal: AbortSignal): Promise<void> {
    await this.#boss.offWork(QUEUE, { wait: false });
    this.#drain.abort();
    const stop = (): void => this.#stop.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.allSettled(this.#running);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
    await this.#boss.stop({ graceful: true, timeout: 5000 });
  }

  async #workOn(session: string, { work, lost }: { readonly work: SessionWork; readonly lost: AbortSignal }) {
    const drain = this.#drain.signal;
    await work(session, { drain, stop: AbortSignal.any([this.#stop.signal, lost]) });
    // Queue the next job before this one is over, so that the session always has one.
    if (drain.aborted) await this.dispatch(session);
  }
}

function toQueueError(error: unknown): StoreError {
  const { message = '', code } = error as { readonly message?: string; readonly code?: string };
  // The ids of its parts would make the same error look like several.
  const plain = message.replace(/ \(Queue: [^()]*\)$/, '');
  const reason = plain === '' ? (code ?? String(error)) : plain;
  return new StoreError(`the queue in the database: ${reason}.`, ['check that the database is running'], error);
}
