/** Tells how much time has passed, in milliseconds; the platform's `performance` is one. */
interface Clock {
  now(): number;
}

/** Source of unpredictable bytes; the platform's `crypto` is one. */
export interface Entropy {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
}

/** Calls back later; the platform's global object is one. */
export interface Timers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** What core takes from the machine it runs on: nothing else, and only through this. */
export interface Host {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly timers: Timers;
}
