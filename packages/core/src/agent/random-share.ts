import type { Entropy } from '../protocol/host.ts';

/** Draws a number from 0 up to, but not including, 1. */
export function randomShare(entropy: Entropy): number {
  const drawn = entropy.getRandomValues(new Uint8Array(4));
  return drawn.reduce((share, byte) => (share + byte) / 256, 0);
}
