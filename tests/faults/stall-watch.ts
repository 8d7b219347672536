import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Measures how long the main thread works at a stretch, while nothing else can happen. */
export class StallWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: 1 });
  readonly #timer: NodeJS.Timeout;
  #work = workOfThread();
  #longest = 0;

  private constructor() {
    this.#delay.enable();
    this.#timer = setInterval(() => this.#look(), 1);
  }

  /** Begins a measurement; work counts from then on. */
  static async start(): Promise<StallWatch> {
    const watch = new StallWatch();
    // It needs a turn of its own to compare the next one with.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return watch;
  }

  /**
   * Ends the measurement.
   *
   * @returns milliseconds: the longest time without a turn, or the most work between two turns if that is less,
   *   since on a busy machine a thread may also wait for its turn without having done anything
   */
  async end(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 2));
    this.#look();
    clearInterval(this.#timer);
    this.#delay.disable();
    return Math.min(this.#longest, this.#delay.max / 1e6);
  }

  #look(): void {
    const work = workOfThread();
    this.#longest = Math.max(this.#longest, work - this.#work);
    this.#work = work;
  }
}

/** Milliseconds that the main thread has worked. */
function workOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
