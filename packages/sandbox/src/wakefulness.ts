import { availableParallelism } from 'node:os';

/**
 * Milliseconds for which a thread that expects the other one's next message does not sleep: a short call is over by
 * then, and waking a thread takes as long again. With one processor it would keep the other one from working.
 */
export const WAKEFUL_MS = availableParallelism() > 1 ? 0.5 : 0;

/** Keeps the event loop turning for a moment. */
export class Wakefulness {
  readonly #ms: number;
  #until = 0;
  #turns = false;

  constructor(ms = WAKEFUL_MS) {
    this.#ms = ms;
  }

  /** Lets the loop not sleep for a moment from now on. */
  renew(): void {
    this.#until = performance.now() + this.#ms;
    if (!this.#turns) this.#turn();
  }

  end(): void {
    this.#until = 0;
  }

  #turn(): void {
    this.#turns = performance.now() < this.#until;
    if (this.#turns) setImmediate(() => this.#turn());
  }
}
