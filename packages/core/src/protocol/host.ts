/** A source of random bytes. `crypto` satisfies this. */
export interface Entropy {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
}

/** Timers. `globalThis` satisfies this. */
export interface Timers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** Everything that core takes from the platform. */
export interface Host {
  /** A monotonic clock, in milliseconds. `performance` satisfies this. */
  readonly clock: { now(): number };
  readonly entropy: Entropy;
  readonly timers: Timers;
}

/** Returns the clock, randomness and timers of the platform; the rest of core gets them from a `Host`. */
export function createDefaultHost(): Host {
  return { clock: globalThis.performance, entropy: globalThis.crypto, timers: globalThis };
}
