import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Held } from './held.ts';

/** The bytes of a regular file without waiting for anybody: right for what is small, or in memory already. */
export function readNow({ address, stats: { size } }: Pick<Held, 'address' | 'stats'>): Uint8Array {
  const file = openSync(address, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.allocUnsafe(size);
    return buffer.subarray(0, readSync(file, buffer, 0, size, 0));
  } finally {
    closeSync(file);
  }
}
