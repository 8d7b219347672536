import { openContent } from '../file-content.ts';
import { DigestBuilder, type FileDigest } from '../file-digest.ts';
import type { Place } from '../place.ts';

const PERMISSIONS = 0o7777;

/** What is in a file right now. */
export interface FileSnapshot extends FileDigest {
  /** Permission bits. */
  readonly mode: number;
  /** All of it; absent when it is larger than was asked for. */
  readonly content?: Uint8Array;
}

/**
 * Reads a file.
 *
 * @param largest most bytes of content to keep
 * @returns undefined when nothing is there
 * @throws FileError when what is there is no regular file, or cannot be read
 */
export async function readSnapshot(place: Place, largest: number): Promise<FileSnapshot | undefined> {
  if (place.stats === undefined) return undefined;
  await using content = await openContent(place);
  const builder = new DigestBuilder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content.chunks()) {
    builder.add(chunk);
    size += chunk.length;
    if (size <= largest) pieces.push(Uint8Array.from(chunk));
    else pieces.length = 0;
  }
  const snapshot = { ...builder.finish(), mode: place.stats.mode & PERMISSIONS };
  return size <= largest ? { ...snapshot, content: Buffer.concat(pieces) } : snapshot;
}
