/** Time that runs out, but stands still while the code waits for somebody who is asked. */
export class Deadline {
  readonly #over: () => void;
  #left: number;
  #began = 0;
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;
  #waits = false;
  #ended = false;

  /**
   * @param ms time until it is over, from now
   * @param over called once, then
   */
  constructor(ms: number, over: () => void) {
    this.#left = ms;
    this.#over = over;
    this.#update();
  }

  /** Says whether the code does nothing until it gets an answer; time stands still only then. */
  set waits(waits: boolean) {
    this.#waits = waits;
    this.#update();
  }

  /** Does work whose time does not count. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.#asked++;
    this.#update();
    try {
      return await work();
    } finally {
      this.#asked--;
      this.#update();
    }
  }

  /** Calls nobody any more. */
  end(): void {
    this.#ended = true;
    this.#update();
  }

  #update(): void {
    const runs = !this.#ended && !(this.#asked > 0 && this.#waits);
    if (runs === (this.#timer !== undefined)) return;
    if (runs) {
      this.#began = performance.now();
      this.#timer = setTimeout(() => this.#over(), Math.max(0, this.#left));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#began;
  }
}
