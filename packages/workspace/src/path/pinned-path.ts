import { type Stats, closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { isMissingFile } from '../errors.ts';
import { SYSTEM_DIALECT } from './path-dialect.ts';

/**
 * What distinguishes a file from every other one of the machine. Not as numbers, because some disks count beyond the
 * integers that a number can hold.
 */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/**
 * A file or folder in a workspace that was found and pinned: operations affect exactly this file or folder, even if its
 * name changes in the meantime. The owner disposes of it.
 */
export interface PinnedPath extends Disposable {
  /** Its stats. For a link, those of the link itself, not of its target. */
  readonly stats: Stats;
  readonly identity: FileIdentity;
  /** Path that refers to it in system calls. */
  readonly address: string;
  /** Path that refers to it in another process, as long as this one runs. */
  readonly externalAddress: string;

  /** Pins the entry with a name in this folder without following links; undefined if it does not exist. */
  child(name: string): PinnedPath | undefined;

  /** Path of a name in this folder, for system calls that must not follow links. */
  childAddress(name: string): string;

  /** Opens it, without waiting for the other end of a pipe. The caller closes the handle. */
  open(flags: number): Promise<FileHandle>;

  /** Throws when `address` no longer refers to it. */
  confirm(): Promise<void>;
}

/**
 * Linux folder with the open files of this process, without the link `self`, which every access would follow; and the
 * mode that opens a file without any effect on it.
 */
const DESCRIPTORS = findDescriptors();
const O_PATH = 0o10000000;

/** True if files can be pinned by descriptor. */
export const HAS_DESCRIPTORS = DESCRIPTORS !== undefined;

function findDescriptors(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const folder = `/proc/${readlinkSync('/proc/self')}/fd`;
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Holds a file or folder open: its address leads to it even after it was renamed or its name was reused. */
export class DescriptorPin implements PinnedPath {
  readonly stats: Stats;
  readonly address: string;
  readonly #descriptor: number;

  /** @param path an existing path; a link at its end is not followed */
  constructor(path: string) {
    // Synchronous, because it only accesses names and takes microseconds; contents are read elsewhere.
    this.#descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
    this.address = `${DESCRIPTORS}/${this.#descriptor}`;
    try {
      this.stats = fstatSync(this.#descriptor);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  get identity(): FileIdentity {
    return fstatSync(this.#descriptor, { bigint: true });
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
    // The address is followed on purpose: it only leads to the pinned file.
    return open(this.address, flags | constants.O_NONBLOCK);
  }

  async confirm(): Promise<void> {
    // An open descriptor always refers to the same file.
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Remembers a file or folder by its path without links, for systems without descriptors. Each opened file is compared
 * with the one that was found: if the path now leads elsewhere, it is refused before anything is read or written.
 */
export class NamePin implements PinnedPath {
  readonly stats: Stats;
  readonly identity: FileIdentity;
  readonly address: string;
  readonly #root: string;

  /** @param root real path of the folder that must contain it; by default it is the root itself */
  constructor(path: string, root = path) {
    this.stats = lstatSync(path);
    this.identity = lstatSync(path, { bigint: true });
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
      this.#compare(await handle.stat({ bigint: true }));
      await this.confirm();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async confirm(): Promise<void> {
    const real = await realpath(this.address);
    if (SYSTEM_DIALECT.below(real, this.#root) === undefined) throw exchangedError();
    this.#compare(await lstat(real, { bigint: true }));
  }

  [Symbol.dispose](): void {
    // A name does not need to be released.
  }

  #compare(found: FileIdentity): void {
    if (!isSameFile(found, this.identity)) throw exchangedError();
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

/** Pins a path without following links. @throws when it does not exist */
export const pinPath = (path: string): PinnedPath => (HAS_DESCRIPTORS ? new DescriptorPin(path) : new NamePin(path));

/** Tests whether a path is a folder or something in it, by their names with `/` between them. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
