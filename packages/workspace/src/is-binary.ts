/** Bytes at the start of a file that decide whether it is binary. */
export const BINARY_PROBE = 8192;

/** True when one of the first 8192 bytes is NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE).includes(0);
}
