/** Points that a turn passes, one of which cancels it. */
export class Stations {
  /** Names of the points passed so far, in order. */
  readonly passed: string[] = [];
  private readonly controller = new AbortController();

  /** @param fatal which point cancels the turn, from 1; 0 for none */
  constructor(
    private readonly fatal: number,
    private readonly patienceMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Passes a point that the turn waits for to the end: a log, a listener. */
  async pass(name: string): Promise<void> {
    if (this.isFatal(name)) this.cancel();
    await new Promise(setImmediate);
  }

  /** Passes a point that may take for ever: a cancelled turn must not wait for it. */
  async hang(name: string): Promise<void> {
    const isFatal = this.isFatal(name);
    await new Promise(setImmediate);
    if (!isFatal) return;
    this.cancel();
    await new Promise(() => undefined);
  }

  /** Rejects when a turn is still going on so long after it was cancelled. */
  async inTime<T>(turn: Promise<T>): Promise<T> {
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => {
        const complain = (): void =>
          reject(new Error(`still going on ${this.patienceMs} ms after ${this.passed.at(-1)}`));
        late = setTimeout(complain, this.patienceMs);
      });
    });
    return Promise.race([turn, patience]).finally(() => clearTimeout(late));
  }

  private isFatal(name: string): boolean {
    this.passed.push(name);
    return this.passed.length === this.fatal;
  }

  private cancel(): void {
    this.controller.abort();
  }
}
