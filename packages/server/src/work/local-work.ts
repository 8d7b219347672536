import type { SessionEvent } from '@bae/client';
import type { Dispatcher, Notifier } from '../ports.ts';
import { workOn, type Workshop } from './work-on.ts';

type Listener = Parameters<Notifier['watch']>[1];

/** Wakes the readers and workers of this process. */
export class LocalNotifier implements Notifier {
  readonly #listeners = new Map<string, Set<Listener>>();

  notify(session: string, live?: SessionEvent): void {
    for (const listener of this.#listeners.get(session) ?? []) listener(live);
  }

  watch(session: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
  }
}

interface LocalWorkOptions extends Workshop {
  /** Maximum number of sessions to work on at the same time; the others wait. */
  readonly most: number;
  /** Receives unexpected errors. */
  readonly report: (error: unknown) => void;
}

/** Works on sessions in this process. */
export class LocalWork implements Dispatcher {
  readonly #options: LocalWorkOptions;
  readonly #leave = new AbortController();
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** Sessions to work on, including running ones that got another prompt. */
  readonly #waiting = new Set<string>();

  constructor(options: LocalWorkOptions) {
    this.#options = options;
  }

  /** Resumes the unfinished work of an earlier process. */
  async resume(): Promise<void> {
    for (const session of await this.#options.store.listUnfinished()) await this.dispatch(session);
  }

  async dispatch(session: string): Promise<void> {
    this.#waiting.add(session);
    this.#startNext();
  }

  async drain(signal: AbortSignal): Promise<void> {
    this.#leave.abort();
    const stop = (): void => this.#stop.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.all(this.#running.values());
  }

  #startNext(): void {
    for (const session of this.#waiting) {
      if (this.#leave.signal.aborted || this.#running.size >= this.#options.most) return;
      if (this.#running.has(session)) continue;
      this.#waiting.delete(session);
      const work = workOn(session, this.#options, { leave: this.#leave.signal, stop: this.#stop.signal })
        .catch(this.#options.report)
        .finally(() => {
          this.#running.delete(session);
          this.#startNext();
        });
      this.#running.set(session, work);
    }
  }
}
