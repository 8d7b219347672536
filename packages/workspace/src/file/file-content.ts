import { createHash } from 'node:crypto';
import {
  type Stats,
  closeSync,
  constants,
  openSync,
  read,
  readdirSync,
  readlinkSync,
  readSync,
  statfsSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { FileError, translateSystemError } from '../errors.ts';
import { type ResolvedPath, resolveBelowRoot } from '../path/resolve-path.ts';
import { DescriptorPin, type PinnedPath } from '../path/pinned-path.ts';
import { type RootFolder } from '../path/root-folder.ts';
import { formatPath } from '../path/show-path.ts';

/** Linux's type number of the proc file system: reading its files queries the kernel, and some of them never end. */
const PROC = 0x9fa0;
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const readOpen = promisify(read);
/** Maximum size of a file that is read synchronously, in bytes: waiting for another thread takes longer than reading it. */
const SMALL = 128 * 1024;
/** Maximum size of a file that is read in one piece, in bytes. */
const AT_ONCE = 1024 * 1024;
/**
 * Size of the first chunk, then of all others, in bytes: most files are small, and allocating large buffers takes time.
 */
const FIRST = 16 * 1024;
const CHUNK = 256 * 1024;
export const PERMISSIONS = 0o7777;

/**
 * Links and empty folders are changed, recorded and undone like files. Their modes have these type bits, and those of
 * files have none. The content of a link is the path that it leads to; an empty folder has none.
 */
export const LINK = constants.S_IFLNK;
export const FOLDER = constants.S_IFDIR;

/** Returns the type bits of a mode: `LINK`, `FOLDER`, or 0 for a file. */
export function getEntryType(mode = 0): number {
  return mode & constants.S_IFMT;
}

type FoundFile = Pick<ResolvedPath, 'given' | 'target' | 'stats'>;

/**
 * Opens a regular file for reading. Other files, such as pipes, are refused before they are opened, without waiting.
 */
export async function openFile(file: FoundFile): Promise<FileHandle> {
  const target = requireRegular(file);
  try {
    return await target.open(constants.O_RDONLY);
  } catch (error) {
    throw translateSystemError(error, file.given);
  }
}

/** Returns the file if it can be read without waiting; throws otherwise. */
function requireRegular({ target, given }: FoundFile): PinnedPath {
  if (target === undefined) throw new FileError(`${formatPath(given)} does not exist.`, ['<R:.>']);
  refuseIrregular(target.stats, given);
  try {
    // A proc file occupies no blocks; `blocks` is checked first, because it is already known.
    if (target.stats.blocks !== 0 || statfsSync(target.address).type !== PROC) return target;
  } catch (error) {
    throw translateSystemError(error, given);
  }
  throw irregularError('kernel file', given);
}

/** Refuses a file that is not a regular file, with the reason. */
export function refuseIrregular(stats: Stats, given: string): void {
  if (stats.isFile()) return;
  // The root has no name of its own.
  const name = formatPath(given || '.');
  if (stats.isDirectory()) throw new FileError(`${name} is a folder, not a file.`, [`<R:${name}>`]);
  if (stats.isFIFO()) throw irregularError('pipe', given);
  if (stats.isSocket()) throw irregularError('socket', given);
  throw irregularError(stats.isSymbolicLink() ? 'link' : 'device', given);
}

function irregularError(kind: string, given: string): FileError {
  return new FileError(`${formatPath(given)} is a ${kind}, not a file. Only regular files can be used.`, ['<R:.>']);
}

/** The content of a regular file, until it is disposed of. */
export interface FileContent extends AsyncDisposable {
  /** Yields the bytes from an offset on, in chunks: use each one before requesting the next. */
  chunks(offset?: number): AsyncIterable<Uint8Array>;
}

/** Memory for files that are read in one piece, one after the other: to allocate it takes longer than reading a file. */
let shared: Buffer | undefined;
let isInUse = false;

export async function openContent(file: FoundFile): Promise<FileContent> {
  const { target, stats } = file;
  // A file that is pinned by name can be replaced between opening and comparing; `openFile` checks for that.
  if (stats === undefined || stats.size > AT_ONCE || !(target instanceof DescriptorPin)) {
    const handle = await openFile(file);
    return { chunks: (offset) => readInChunks(handle, offset), [Symbol.asyncDispose]: () => handle.close() };
  }
  const isSmall = stats.size <= SMALL;
  const isFree = !isInUse;
  // What is read at the same time has memory of its own, for a small file no more than it needs.
  if (!isFree && isSmall) return holdContent(readAtOnce(file));
  const buffer = isFree ? (shared ??= Buffer.allocUnsafeSlow(AT_ONCE)) : Buffer.allocUnsafeSlow(AT_ONCE);
  const release = (): void => {
    if (isFree) isInUse = false;
  };
  isInUse = true;
  try {
    return holdContent(isSmall ? readAtOnce(file, buffer) : await readInThread(file, buffer), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Wraps content that is in memory. */
export function holdContent(bytes: Uint8Array, release = (): void => undefined): FileContent {
  const chunks = async function* (offset = 0) {
    if (offset < bytes.length) yield bytes.subarray(offset);
  };
  return { chunks, [Symbol.asyncDispose]: async () => release() };
}

/** Reads an open regular file from an offset to its end, in chunks that share their buffers. */
export async function* readInChunks(handle: FileHandle, offset = 0): AsyncGenerator<Uint8Array> {
  let buffer = Buffer.allocUnsafe(FIRST);
  for (let position = offset; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    position += bytesRead;
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    // A regular file fills the buffer unless it ends.
    if (bytesRead < buffer.length) return;
    if (buffer.length < CHUNK) buffer = Buffer.allocUnsafe(CHUNK);
  }
}

/** Reads a file that is pinned by descriptor synchronously: suitable for small or cached files. */
function readAtOnce(file: FoundFile, into?: Buffer): Uint8Array {
  const { address, stats } = requireRegular(file);
  try {
    const descriptor = openSync(address, READ);
    try {
      const buffer = into ?? Buffer.allocUnsafe(stats.size);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, stats.size, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw translateSystemError(error, file.given);
  }
}

/** Reads a file that is pinned by descriptor in another thread. */
async function readInThread(file: FoundFile, buffer: Buffer): Promise<Uint8Array> {
  const { address, stats } = requireRegular(file);
  try {
    // Opening only accesses a name that was just looked up, so it is not worth a wait of its own.
    const descriptor = openSync(address, READ);
    try {
      const { bytesRead } = await readOpen(descriptor, buffer, 0, stats.size, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw translateSystemError(error, file.given);
  }
}

/**
 * Reads all bytes of a file found by a search; returns undefined when it is too large, a link, or cannot be read.
 *
 * @param isCached true when another program has just read the file, so that waiting takes longer than reading
 */
export async function readFoundFile(
  path: string,
  root: RootFolder,
  { largest, isCached = false }: { readonly largest: number; readonly isCached?: boolean },
): Promise<Uint8Array | undefined> {
  try {
    using file = resolveBelowRoot(path, root);
    // The search did not see a link here, so a link must have replaced the file since.
    if (file.stats === undefined || file.stats.size > largest || file.path !== path) return undefined;
    if (isCached && file.target instanceof DescriptorPin) return readAtOnce(file);
    await using handle = await openFile(file);
    // The buffer has its own memory, so that it can be transferred to another thread.
    const buffer = Buffer.allocUnsafeSlow(file.stats.size);
    let size = 0;
    // Data that is appended during the read is left out.
    while (size < buffer.length) {
      const { bytesRead } = await handle.read(buffer, size, buffer.length - size, size);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    return buffer.subarray(0, size);
  } catch {
    return undefined;
  }
}

/** Opens a file found by a search; returns null when it has become a link, or cannot be opened. */
export async function openFoundFile(path: string, root: RootFolder): Promise<FileHandle | null> {
  try {
    using file = resolveBelowRoot(path, root);
    return file.stats === undefined || file.path !== path ? null : await openFile(file);
  } catch {
    return null;
  }
}

/** Returns true when one of the first 8192 bytes of an open file is NUL. */
export async function isBinaryFile(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(BINARY_PROBE), 0, BINARY_PROBE, 0);
  return isBinary(buffer.subarray(0, bytesRead));
}

export interface FileSnapshot extends FileDigest {
  readonly mode: number;
  /** The whole content; absent when it is larger than requested. */
  readonly content?: Uint8Array;
}

/** Reads a file, keeping at most `largest` bytes, and computes its digest; returns undefined when it does not exist. */
export async function readFileSnapshot(file: ResolvedPath, largest: number): Promise<FileSnapshot | undefined> {
  if (file.stats === undefined) return undefined;
  await using content = await openContent(file);
  const builder = new DigestBuilder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content.chunks()) {
    builder.add(chunk);
    size += chunk.length;
    if (size <= largest) pieces.push(Buffer.from(chunk));
    else pieces.length = 0;
  }
  const snapshot = { ...builder.finish(), mode: file.stats.mode & PERMISSIONS };
  if (size > largest) return snapshot;
  return { ...snapshot, content: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
}

/** Reads a file, or what a link or folder itself consists of; the names in a folder stand for its content. */
export async function readEntrySnapshot(file: ResolvedPath, largest: number): Promise<FileSnapshot | undefined> {
  const { stats, target, folder, name } = file;
  try {
    if (stats?.isSymbolicLink() === true) {
      const content = readlinkSync(folder.childAddress(name), 'buffer');
      return { ...computeFileDigest(content), mode: LINK, content };
    }
    if (stats?.isDirectory() === true) {
      const content = Buffer.from(readdirSync(target!.address).toSorted().join('\n'));
      return { ...computeFileDigest(content), mode: FOLDER | (stats.mode & PERMISSIONS), content };
    }
  } catch (error) {
    throw translateSystemError(error, file.given);
  }
  return readFileSnapshot(file, largest);
}

/** The facts about a file's content that are known without keeping it. */
export interface FileDigest {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly size: number;
  /** Number of lines; a last line without a line break counts. */
  readonly lines: number;
  readonly binary: boolean;
}

const LINE_FEED = 10;
/** Number of bytes at the start of a file that decide whether it is binary. */
export const BINARY_PROBE = 8192;

export class DigestBuilder {
  readonly #hash = createHash('sha256');
  #size = 0;
  #breaks = 0;
  #last = LINE_FEED;
  #binary = false;

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#hash.update(bytes);
    if (this.#size < BINARY_PROBE) this.#binary ||= bytes.subarray(0, BINARY_PROBE - this.#size).includes(0);
    this.#size += bytes.length;
    this.#breaks += countLineFeeds(bytes);
    this.#last = bytes.at(-1) as number;
  }

  get breaks(): number {
    return this.#breaks;
  }

  finish(): FileDigest {
    const lines = this.#breaks + (this.#last === LINE_FEED ? 0 : 1);
    return { hash: this.#hash.digest('hex'), size: this.#size, lines, binary: this.#binary };
  }
}

/** A line feed in each of four bytes, and masks that select the highest or all other bits of each. */
const LINE_FEEDS = 0x0a0a0a0a;
const HIGHEST = 0x80808080;
const OTHERS = 0x7f7f7f7f;

/** Counts the line feeds, four bytes at a time: one at a time takes longer than reading the file. */
export function countLineFeeds(bytes: Uint8Array): number {
  const aligned = -bytes.byteOffset & 3;
  if (bytes.length < aligned) return countSingly(bytes, 0, bytes.length);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, (bytes.length - aligned) >> 2);
  let count = countSingly(bytes, 0, aligned) + countSingly(bytes, aligned + 4 * words.length, bytes.length);
  for (let index = 0; index < words.length; index++) {
    const word = words[index]! ^ LINE_FEEDS;
    // The highest bit of each byte that is zero, which was a line feed.
    let found = ~(((word & OTHERS) + OTHERS) | word) & HIGHEST;
    for (; found !== 0; found &= found - 1) count++;
  }
  return count;
}

function countSingly(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index++) if (bytes[index] === LINE_FEED) count++;
  return count;
}

export function computeFileDigest(bytes: Uint8Array): FileDigest {
  const builder = new DigestBuilder();
  builder.add(bytes);
  return builder.finish();
}

/** Returns true when one of the first 8192 bytes is NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE).includes(0);
}
