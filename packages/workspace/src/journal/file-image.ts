import { chunksOf } from '../file-chunks.ts';
import { DigestBuilder } from '../file-digest.ts';
import { openFile } from '../open-file.ts';
import type { Place } from '../place.ts';
import type { FileVersion } from './operation.ts';

const PERMISSIONS = 0o7777;

/** What is in a file right now. */
export interface FileImage extends FileVersion {
  /** All of it; absent when it is larger than was asked for. */
  readonly content?: Uint8Array;
}

/**
 * Takes in a file.
 *
 * @param largest bytes of content that are kept
 * @returns undefined when nothing is there
 * @throws FileError when what is there is no regular file, or cannot be read
 */
export async function imageOf(place: Place, largest: number): Promise<FileImage | undefined> {
  if (place.stats === undefined) return undefined;
  await using file = await openFile(place);
  const builder = new DigestBuilder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(file)) {
    builder.add(chunk);
    size += chunk.length;
    if (size <= largest) pieces.push(Uint8Array.from(chunk));
    else pieces.length = 0;
  }
  const { hash, lines } = builder.finish();
  const version = { hash, size, lines, mode: place.stats.mode & PERMISSIONS };
  return size <= largest ? { ...version, content: Buffer.concat(pieces) } : version;
}

/** What is known of a file without its content. */
export function versionOf({ hash, size, lines, mode }: FileImage): FileVersion {
  return { hash, size, lines, mode };
}
