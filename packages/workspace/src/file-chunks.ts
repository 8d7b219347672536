import type { FileHandle } from 'node:fs/promises';

/** Bytes of the first piece, and of all others: most files are small, and large buffers cost time. */
const FIRST = 16 * 1024;
const CHUNK = 256 * 1024;

/**
 * The bytes of an open regular file from an offset to its end, in pieces that share their buffers: use a piece
 * before asking for the next.
 */
export async function* chunksOf(handle: FileHandle, offset = 0): AsyncGenerator<Uint8Array> {
  let buffer = Buffer.allocUnsafe(FIRST);
  for (let position = offset; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    position += bytesRead;
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    // A regular file gives as much as it has.
    if (bytesRead < buffer.length) return;
    if (buffer.length < CHUNK) buffer = Buffer.allocUnsafe(CHUNK);
  }
}
