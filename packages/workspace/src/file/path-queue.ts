/** Locks by key: pieces of work with the same key run one at a time, in the order of the calls. */
export class PathQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work with the same key has ended, successfully or not. */
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

  /** Runs work under several keys; all callers take the keys in the same order, which prevents deadlocks. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const sorted = [...new Set(keys)].toSorted();
    return sorted.reduce((inner, key) => () => this.run(key, inner), work)();
  }
}
