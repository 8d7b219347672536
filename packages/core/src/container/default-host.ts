import type { Host } from '../protocol/host.ts';

/** Returns the clock, randomness and timers of the platform; the rest of core gets them from a `Host`. */
export function createDefaultHost(): Host {
  return { clock: globalThis.performance, entropy: globalThis.crypto, timers: globalThis };
}
