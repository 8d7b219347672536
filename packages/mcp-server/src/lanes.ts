import type { Agent } from '@bae/core';
import type { RunningCall } from './held-calls.ts';

/** Maximum number of sessions in which calls run at the same time. */
const MOST_SESSIONS = 16;

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
    while (this.#idle.size === 0 && this.#opened.length === MOST_SESSIONS)
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
