import type { Host } from '../protocol/host.ts';

/** The platform's own clock, randomness and timers; everything else in core gets them from a `Host`. */
export function createDefaultHost(): Host {
  return { clock: globalThis.performance, entropy: globalThis.crypto, timers: globalThis };
}
