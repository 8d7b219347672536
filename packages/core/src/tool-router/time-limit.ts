import type { Timers } from '../protocol/host.ts';

/** The time one call may take; it begins anew after every wait that is not the call's fault. */
export class TimeLimit {
  readonly #start: () => unknown;
  readonly #stop: (timer: unknown) => void;
  #timer: unknown;
  #waits = 0;
  #over = false;

  /** @param ms when to call back, counted from now */
  constructor(timers: Timers, ms: number, callback: () => void) {
    this.#start = () => timers.setTimeout(callback, ms);
    this.#stop = (timer) => timers.clearTimeout(timer);
    this.#timer = this.#start();
  }

  /** Does work whose time does not count. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.#waits++;
    this.#stop(this.#timer);
    try {
      return await work();
    } finally {
      this.#waits--;
      if (this.#waits === 0 && !this.#over) this.#timer = this.#start();
    }
  }

  /** Calls back no more. */
  end(): void {
    this.#over = true;
    this.#stop(this.#timer);
  }
}
