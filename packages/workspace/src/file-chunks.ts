import type { FileHandle } from 'node:fs/promises';

const CHUNK = 256 * 1024;

/**
 * The bytes of an open file from an offset to its end, in pieces that share one buffer: use a piece before
 * asking for the next.
 */
export async function* chunksOf(handle: FileHandle, offset = 0): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = offset; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
