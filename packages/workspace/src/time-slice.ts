import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

/** Divides long work of the main thread, so that others get their turn. */
export class TimeSlice {
  #began = performance.now();

  /** True when it is time to wait for `rest()`. */
  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Lets everything else that waits happen first. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
