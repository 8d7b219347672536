import { closeSync, constants, openSync, readSync, statfsSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { FileError, systemError } from '../errors.ts';
import { DigestBuilder, type FileDigest } from './file-digest.ts';
import { type Held, HeldByDescriptor } from '../path/pinned-path.ts';
import { findInside, type Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { showPath } from '../path/show-path.ts';

/** What Linux calls the file system whose files are questions to the kernel, some of which never end. */
const PROC = 0x9fa0;

/**
 * Opens a regular file for reading. The caller closes it.
 *
 * A pipe, socket, device or file of the kernel is refused without waiting for it: it is looked at before it is
 * opened, and what is opened is what was looked at.
 *
 * @throws FileError when it is a folder or no regular file, or the system refuses
 */
export async function openFile(place: Place): Promise<FileHandle> {
  const target = readableFile(place);
  try {
    return await target.open(constants.O_RDONLY);
  } catch (error) {
    throw systemError(error, place.given);
  }
}

/**
 * The file in a place, known to be one that can be read without waiting.
 *
 * @throws FileError when it is a folder or no regular file, or the system refuses
 */
export function readableFile({ target, given }: Place): Held {
  if (target === undefined) throw new FileError(`${showPath(given)} does not exist.`, ['<R:.>']);
  refuseOther(target.stats, given);
  try {
    // Such a file takes no room on any disk, which is known already.
    if (target.stats.blocks === 0 && statfsSync(target.address).type === PROC) throw notRegular('kernel file', given);
    return target;
  } catch (error) {
    throw systemError(error, given);
  }
}

/** Refuses what is not a regular file, with the reason. */
export function refuseOther(stats: Stats, given: string): void {
  if (stats.isFile()) return;
  // The root has no name of its own.
  const shown = showPath(given || '.');
  if (stats.isDirectory()) throw new FileError(`${shown} is a folder, not a file.`, [`<R:${shown}>`]);
  throw notRegular(kindOf(stats), given);
}

function notRegular(kind: string, given: string): FileError {
  return new FileError(`${showPath(given)} is a ${kind}, not a file. Only regular files can be used.`, ['<R:.>']);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'pipe';
  if (stats.isSocket()) return 'socket';
  return stats.isSymbolicLink() ? 'link' : 'device';
}

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

/**
 * All bytes of a file that a search came by; undefined when it is too large, a link, or cannot be read.
 *
 * @param path below the root, without links
 * @param largest bytes of the largest file that is read
 */
export async function readWhole(path: string, root: RootFolder, largest: number): Promise<Uint8Array | undefined> {
  try {
    using place = findInside(path, root);
    // The search has seen no link here, so one that is here now was put in the file's place.
    if (place.stats === undefined || place.stats.size > largest || place.path !== path) return undefined;
    await using file = await openFile(place);
    // Memory of its own, so that it can be handed to another thread.
    const buffer = Buffer.allocUnsafeSlow(place.stats.size);
    let size = 0;
    // What the file gets while it is read is left out.
    while (size < buffer.length) {
      const { bytesRead } = await file.read(buffer, size, buffer.length - size, size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return buffer.subarray(0, size);
  } catch {
    return undefined;
  }
}

/**
 * All bytes of a file that another program has read a moment ago, so that they are in memory and it takes less time
 * to get them than to wait for them. Otherwise the same as `readWhole`.
 */
export async function readWarm(path: string, root: RootFolder, largest: number): Promise<Uint8Array | undefined> {
  try {
    using place = findInside(path, root);
    const isWanted = place.stats !== undefined && place.stats.size <= largest && place.path === path;
    // What has a name only can be exchanged between opening and comparing; that is done elsewhere.
    if (place.target instanceof HeldByDescriptor) return isWanted ? readNow(readableFile(place)) : undefined;
  } catch {
    return undefined;
  }
  return readWhole(path, root, largest);
}

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
