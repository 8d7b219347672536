/** Locks by key: one piece of work at a time, in the order it was asked for. */
export class PathQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when everything asked for before on the same key has ended, however it ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** The same for several keys; everybody takes them in one order, so that nobody waits in a circle. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const sorted = [...new Set(keys)].toSorted();
    return sorted.reduce((inner, key) => () => this.run(key, inner), work)();
  }
}
