import type { PgBoss } from 'pg-boss';
import { PgBoss as Boss } from 'pg-boss';
import { readConnectionOptions } from './connections.ts';

const QUEUE = 'bae-sessions';
/** A worker that says nothing for this time is dead, in seconds; the queue allows no less than 10. */
const HEARTBEAT = 10;
const DAY = 24 * 60 * 60;
/** Whoever works on a session again and again without an end is stopped by the session's own limits. */
const MOST_RETRIES = 1_000_000;

/** How long a session is worked on. */
export interface WorkSignals {
  /** Finish the call that runs, and leave the rest to another worker. */
  readonly drain: AbortSignal;
  /** Stop at once: another worker has the session, or there is no more time. */
  readonly stop: AbortSignal;
}

/** What is done with a session: resolves when nothing waits in it, or the signals say so; rejects to be tried again. */
export type SessionWork = (session: string, signals: WorkSignals) => Promise<void>;

export interface WorkOptions {
  readonly work: SessionWork;
  /** Sessions that are worked on at the same time. */
  readonly most: number;
}

export interface WorkQueueOptions {
  readonly url: string;
  /** Gets what should not have happened; the queue goes on. */
  readonly report: (error: Error) => void;
}

/**
 * Sessions in which prompts wait, for any number of workers. One session is worked on by one worker at a time; when that
 * one dies, another takes over within 20 seconds.
 */
export class WorkQueue {
  readonly #boss: PgBoss;
  readonly #drain = new AbortController();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** @throws StoreError for an address that is none; Error when the database cannot be reached */
  static async open({ url, report }: WorkQueueOptions): Promise<WorkQueue> {
    const { connectionString, connectionTimeoutMillis } = readConnectionOptions(url);
    const boss = new Boss({
      connectionString: connectionString!,
      connectionTimeoutMillis: connectionTimeoutMillis!,
      application_name: 'bae queue',
      max: 4,
      schedule: false,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
      useListenNotify: true,
    });
    boss.on('error', report);
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

  /** A prompt waits in a session. Can be called more than once for the same one. */
  async dispatch(session: string): Promise<void> {
    await this.#boss.send(QUEUE, { session }, { singletonKey: session });
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
   * Takes no further session, lets the calls that run come to their end, and leaves the sessions to other workers.
   *
   * @param signal when it aborts, nothing is waited for any more
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
    // Before this job is over, so that no moment is without one.
    if (drain.aborted) await this.dispatch(session);
  }
}
