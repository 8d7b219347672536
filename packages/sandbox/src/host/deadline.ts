/** A timeout that is paused while the code waits for a person who is asked. */
export class Deadline {
  readonly #onTimeout: () => void;
  #left: number;
  #began = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #isWaiting = false;
  #isCleared = false;

  /**
   * @param ms milliseconds from now
   * @param onTimeout is called once
   */
  constructor(ms: number, onTimeout: () => void) {
    this.#left = ms;
    this.#onTimeout = onTimeout;
    this.#update();
  }

  /** True while the code cannot continue without a result; only then time can be paused. */
  set isWaiting(isWaiting: boolean) {
    this.#isWaiting = isWaiting;
    this.#update();
  }

  /** Runs `work` with the timeout paused. */
  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses++;
    this.#update();
    try {
      return await work();
    } finally {
      this.#pauses--;
      this.#update();
    }
  }

  clear(): void {
    this.#isCleared = true;
    this.#update();
  }

  #update(): void {
    const runs = !this.#isCleared && !(this.#pauses > 0 && this.#isWaiting);
    if (runs === (this.#timer !== undefined)) return;
    if (runs) {
      this.#began = performance.now();
      this.#timer = setTimeout(this.#onTimeout, Math.max(0, this.#left));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#began;
  }
}
