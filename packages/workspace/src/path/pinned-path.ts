import { type Stats, closeSync, constants, existsSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { isMissingFile } from '../errors.ts';

/**
 * Something in a workspace that was found and is pinned: what is done to it is done to this very thing, whatever becomes
 * of its name in the meantime. The owner disposes of it.
 */
export interface PinnedPath extends Disposable {
  /** What it is. A link is itself, not what it leads to. */
  readonly stats: Stats;
  /** Path for system calls that stands for it. */
  readonly address: string;
  /** The same for another process, as long as this one runs. */
  readonly externalAddress: string;

  /** Pins what has a name in this folder, links not followed; undefined when nothing has. */
  child(name: string): PinnedPath | undefined;

  /** Path for system calls on a name in this folder, which must not follow links. */
  childAddress(name: string): string;

  /** Opens it, without waiting for the other end of a pipe. The caller closes the handle. */
  open(flags: number): Promise<FileHandle>;

  /** Throws when `address` no longer stands for it. */
  confirm(): Promise<void>;
}

/** Where Linux shows what a process has open, and the mode that opens a thing without any effect on it. */
const DESCRIPTORS = '/proc/self/fd';
const O_PATH = 0o10000000;

/** True where things can be pinned by descriptor. */
export const HAS_DESCRIPTORS = process.platform === 'linux' && existsSync(DESCRIPTORS);

/** Holds a thing open: its address leads to it even after it was renamed or something else took its name. */
export class DescriptorPin implements PinnedPath {
  readonly stats: Stats;
  readonly address: string;
  readonly #descriptor: number;

  /** @param path of something that is there; a link at its end is not followed */
  constructor(path: string) {
    // Synchronous, because it touches names only and takes microseconds; contents are read elsewhere.
    this.#descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
    this.address = `${DESCRIPTORS}/${this.#descriptor}`;
    try {
      this.stats = fstatSync(this.#descriptor);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  child(name: string): PinnedPath | undefined {
    return unlessMissing(() => new DescriptorPin(this.childAddress(name)));
  }

  get externalAddress(): string {
    return `/proc/${process.pid}/fd/${this.#descriptor}`;
  }

  childAddress(name: string): string {
    return `${this.address}/${name}`;
  }

  open(flags: number): Promise<FileHandle> {
    // The address is followed on purpose: it leads to what is pinned and nowhere else.
    return open(this.address, flags | constants.O_NONBLOCK);
  }

  async confirm(): Promise<void> {
    // An open descriptor cannot come to mean something else.
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Remembers a thing by its path without links, where the system has nothing better. What is opened is compared
 * with what was found: a path that leads elsewhere by then is refused, before anything is read or written.
 */
export class NamePin implements PinnedPath {
  readonly stats: Stats;
  readonly address: string;
  readonly #root: string;

  /** @param root real path that this thing must stay below; by default it is the root itself */
  constructor(path: string, root = path) {
    this.stats = lstatSync(path);
    this.address = path;
    this.#root = root;
  }

  child(name: string): PinnedPath | undefined {
    return unlessMissing(() => new NamePin(this.childAddress(name), this.#root));
  }

  get externalAddress(): string {
    return this.address;
  }

  childAddress(name: string): string {
    return this.address.endsWith('/') ? this.address + name : `${this.address}/${name}`;
  }

  async open(flags: number): Promise<FileHandle> {
    // Windows has neither of these flags.
    const handle = await open(this.address, flags | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      this.#compare(await handle.stat());
      await this.confirm();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async confirm(): Promise<void> {
    const real = await realpath(this.address);
    if (!isWithin(real, this.#root)) throw exchangedError();
    this.#compare(await lstat(real));
  }

  [Symbol.dispose](): void {
    // A name needs no release.
  }

  #compare({ dev, ino }: Stats): void {
    if (dev !== this.stats.dev || ino !== this.stats.ino) throw exchangedError();
  }
}

function unlessMissing(pin: () => PinnedPath): PinnedPath | undefined {
  try {
    return pin();
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

function exchangedError(): Error {
  return Object.assign(new Error('a part of the path was exchanged'), { code: 'ELOOP' });
}

/** Pins what has a path, links not followed. @throws when nothing has it */
export const pinPath = (path: string): PinnedPath => (HAS_DESCRIPTORS ? new DescriptorPin(path) : new NamePin(path));

/** True when an absolute path is a folder or something in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
