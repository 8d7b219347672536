import { chunksOf } from './file-chunks.ts';
import { HeldByDescriptor } from './held-by-descriptor.ts';
import { openFile, readableFile } from './open-file.ts';
import type { Place } from './place.ts';
import { readNow } from './read-now.ts';
import { systemError } from './system-error.ts';

/** Bytes of a file that is read at once: four waits for a disk take longer than to read it. */
const SMALL = 64 * 1024;

/** The content of a regular file, until it is disposed of. */
export interface FileContent extends AsyncDisposable {
  /** Bytes it had when it was opened. */
  readonly size: number;
  /** The bytes from an offset on, in pieces: use one before asking for the next. */
  chunks(offset?: number): AsyncIterable<Uint8Array>;
}

/**
 * Opens the content of a file.
 *
 * @throws FileError when it is a folder or no regular file, or the system refuses
 */
export async function openContent(place: Place): Promise<FileContent> {
  const size = place.stats?.size ?? 0;
  // What has a name only can be exchanged between opening and comparing; that is done by `openFile`.
  if (size <= SMALL && place.target instanceof HeldByDescriptor) return inMemory(place);
  const file = await openFile(place);
  return { size, chunks: (offset) => chunksOf(file, offset), [Symbol.asyncDispose]: () => file.close() };
}

function inMemory(place: Place): FileContent {
  const target = readableFile(place);
  let bytes: Uint8Array;
  try {
    bytes = readNow(target);
  } catch (error) {
    throw systemError(error, place.given);
  }
  return { size: bytes.length, chunks: (offset = 0) => once(bytes.subarray(offset)), [Symbol.asyncDispose]: nothing };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function nothing(): Promise<void> {
  // There is nothing to let go of.
}
