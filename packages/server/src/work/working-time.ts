/** Longest delay of a timer, in milliseconds. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Measures the time that work takes, without the time that it waits for a person, and tells when it is used up. */
export class WorkingTime {
  readonly #onLimit: () => void;
  #limitMs = Infinity;
  #passed = 0;
  /** Time since which it runs, in milliseconds; undefined while it waits. */
  #since: number | undefined = performance.now();
  #waits = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onLimit: () => void) {
    this.#onLimit = onLimit;
  }

  get ms(): number {
    return this.#passed + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** Sets the time after which `onLimit` is called, in milliseconds. */
  limit(ms: number): void {
    this.#limitMs = ms;
    this.#startTimer();
  }

  /** Does not count the time until a promise is settled; several may be pending at once. */
  async exclude<T>(waiting: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#pause();
    try {
      return await waiting;
    } finally {
      if (--this.#waits === 0) this.#resume();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#limitMs = Infinity;
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#passed = this.ms;
    this.#since = undefined;
  }

  #resume(): void {
    this.#since = performance.now();
    this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const left = this.#limitMs - this.ms;
    if (left === Infinity || this.#since === undefined) return;
    const next = (): void => (left > LONGEST_TIMER_MS ? this.#startTimer() : this.#onLimit());
    this.#timer = setTimeout(next, Math.min(left, LONGEST_TIMER_MS));
  }
}
