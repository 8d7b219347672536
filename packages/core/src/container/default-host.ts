import type { Host } from '../protocol/host.ts';

/**
 * The platform's own clock, randomness and timers.
 *
 * The one place where core names a global of the platform; everything else is handed a `Host`.
 */
export function createDefaultHost(): Host {
  return { clock: globalThis.performance, entropy: globalThis.crypto, timers: globalThis };
}
