/** Ends something that has not been used for a time. */
export class IdleLimit {
  readonly #ms: number | undefined;
  readonly #end: () => void;
  #uses = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms the time in milliseconds; undefined for no limit */
  constructor(ms: number | undefined, end: () => void) {
    this.#ms = ms;
    this.#end = end;
  }

  /** Waits for a use, during which nothing is ended. */
  async during<T>(use: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#uses++;
    try {
      return await use;
    } finally {
      this.#uses--;
      if (this.#ms !== undefined && this.#uses === 0) this.#timer = setTimeout(this.#end, this.#ms).unref();
    }
  }
}
