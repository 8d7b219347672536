import type { SandboxLimits } from './sandbox-options.ts';
import { Thread } from './thread.ts';

/** Threads for sessions, one of them always ready before it is needed. */
export class ThreadSupply {
  readonly #limits: SandboxLimits;
  readonly #ending = new Set<Promise<void>>();
  #spare: Thread | undefined;
  #closed = false;

  constructor(limits: SandboxLimits) {
    this.#limits = limits;
  }

  /** A thread of one's own. */
  take(): Thread {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare === undefined || spare.isGone ? new Thread(this.#limits) : spare;
  }

  /** Begins to load what the next session needs. */
  prepare(): void {
    if (!this.#closed) this.#spare ??= new Thread(this.#limits);
  }

  /** Waits until what the next session needs is loaded. @throws Error when that fails */
  async warm(): Promise<void> {
    this.prepare();
    await this.#spare?.ready();
  }

  /** Ends a thread that was taken. */
  end(thread: Thread): Promise<void> {
    const ending = thread.end();
    this.#ending.add(ending);
    return ending.finally(() => this.#ending.delete(ending));
  }

  /** Ends the spare thread, and waits for all that are ending. */
  async close(): Promise<void> {
    this.#closed = true;
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined) void this.end(spare);
    await Promise.all(this.#ending);
  }
}
