import type { Entropy } from '../protocol/host.ts';

/** Draws a random name of so many bytes, as lower-case hexadecimal digits. */
export function randomHex(entropy: Entropy, bytes: number): string {
  const drawn = entropy.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
