import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfigurationError } from '@bae/core';
import {
  type Stats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { DraftFiles } from '../draft/draft-files.ts';
import { FileError, PathError, isMissingFile } from '../errors.ts';
import { type PathProtection, OWN_DATA, OWN_SETTINGS, findProtection, foldName } from './path-protection.ts';
import { formatPath } from './show-path.ts';

/** Closes the root folder of a workspace that nobody can use any more. */
const abandoned = new FinalizationRegistry<() => void>((close) => close());

export const pinPath = (path: string): PinnedPath => (HAS_DESCRIPTORS ? new DescriptorPin(path) : new NamePin(path));

/** Files and folders of the application, absolute paths: no tool writes them, wherever they are. */
export interface OwnFiles {
  /** Databases, decisions and keys: no tool reads them either. */
  readonly data?: readonly string[];
  readonly settings?: readonly string[];
}

/**
 * Looks up the text of a file in an editor that may have changes which are not saved yet.
 *
 * @param path absolute, without links, below the root
 * @returns undefined when the editor does not have the file
 */
export type ReadUnsaved = (path: string) => Promise<string | undefined>;

interface RootOptions {
  readonly pin?: (path: string) => PinnedPath;
  readonly ownFiles?: OwnFiles | undefined;
  readonly readUnsaved?: ReadUnsaved | undefined;
}

/** A path below the root, folded, with what protects it. */
interface OwnPath {
  readonly path: string;
  readonly protection: PathProtection;
}

/** Those of the application's files that are in the root folder, by their names and by what these lead to. */
function listOwnPaths({ data = [], settings = [] }: OwnFiles, roots: readonly string[]): readonly OwnPath[] {
  const kinds = [
    [data, OWN_DATA],
    [settings, OWN_SETTINGS],
  ] as const;
  return kinds.flatMap(([files, protection]) =>
    files
      .flatMap((file) => [resolve(file), findRealFile(resolve(file))])
      .flatMap((file) =>
        roots.filter((root) => file !== root && isWithin(file, root)).map((root) => file.slice(root.length)),
      )
      .map((path) => ({ path: foldPath(path), protection })),
  );
}

/** The path with the links resolved of what is there: of a file that is to be made, those of its folder. */
function findRealFile(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(findRealFile(folder), basename(path));
  }
}

function foldPath(path: string): string {
  return splitPath(path).map(foldName).join('/');
}

/** The folder that a workspace consists of, pinned while the workspace is open. */
export class RootFolder implements Disposable {
  readonly names: RootNames;
  /** Looks up what an editor has not saved yet. */
  readonly readUnsaved: ReadUnsaved | undefined;
  readonly #pin: PinnedPath;
  #isClosed = false;

  readonly #own: readonly OwnPath[];
  readonly #drafts = new AsyncLocalStorage<DraftFiles | undefined>();

  /** @param folder relative ones start from the process's working directory */
  constructor(folder: string, { pin = pinPath, ownFiles = {}, readUnsaved }: RootOptions = {}) {
    this.readUnsaved = readUnsaved;
    const absolute = resolve(folder);
    const real = realFolder(absolute);
    this.names = { roots: [real, absolute], home: homedir() };
    this.#own = listOwnPaths(ownFiles, this.names.roots);
    const pinned = pin(real);
    this.#pin = pinned;
    abandoned.register(this, () => pinned[Symbol.dispose](), this);
  }

  /** Finds what is special about a file, by all paths below the root that lead to it: its name, or that it is the application's. */
  findProtection(...paths: readonly string[]): PathProtection | undefined {
    if (this.#own.length === 0) return findProtection(...paths);
    const folded = paths.map(foldPath);
    const own = this.#own.find((one) => folded.some((path) => isWithin(path, one.path)));
    return own?.protection ?? findProtection(...paths);
  }

  /** The draft that the code which runs now is in; undefined for the files as they are. */
  get draft(): DraftFiles | undefined {
    const draft = this.#drafts.getStore();
    // What was begun in a draft may go on after its end.
    return draft?.isOpen === true ? draft : undefined;
  }

  /** Runs work in a draft, or outside of any. */
  inDraft<T>(draft: DraftFiles | undefined, work: () => Promise<T>): Promise<T> {
    return this.#drafts.run(draft, work);
  }

  /** Absolute path of the folder, without links. */
  get path(): string {
    return this.names.roots[0] as string;
  }

  get pin(): PinnedPath {
    if (this.#isClosed) throw new FileError(`the workspace ${this.path} was closed. Open it again.`);
    const { dev, ino } = this.#pin.stats;
    const now = statsOf(this.path);
    if (now?.dev === dev && now.ino === ino) return this.#pin;
    const became = now === undefined ? 'is gone' : 'is another folder now';
    throw new FileError(`the workspace ${this.path} ${became}: it was removed, renamed or replaced. Start bae again.`);
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    abandoned.unregister(this);
    this.#pin[Symbol.dispose]();
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new ConfigurationError(`the workspace ${folder} is not there. Name a folder that exists.`, [], error);
  }
  throw new ConfigurationError(`the workspace ${folder} is a file. Name a folder.`);
}

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

/** The names under which a workspace's root folder is known. */
export interface RootNames {
  /** Absolute names of the root folder, the real one first. */
  readonly roots: readonly string[];
  readonly home: string;
}

/** Most bytes of a path: no system opens longer ones. */
const LONGEST = 4096;
/** Most parts of a path. What is done for every folder on the way would take long, and be remembered for each. */
const DEEPEST = 255;

/**
 * Turns a path into one below the root by its text alone: `./src//a.ts` becomes `src/a.ts`, the root the empty string.
 * `..` is refused even where it would stay inside, because what it leads to depends on links.
 *
 * @throws PathError for NUL, `..`, `~name`, and for absolute and `~` paths outside the root; FileError for a path
 *   of more than 4096 bytes or 255 parts
 */
export function containPath(given: string, names: RootNames): string {
  const path = relativePath(given, names);
  const size = Buffer.byteLength(path);
  if (size > LONGEST) throw tooLongError(given, `is ${size} bytes long; at most ${LONGEST}`);
  const parts = path.split('/').length;
  if (parts > DEEPEST) throw tooLongError(given, `has ${parts} parts; at most ${DEEPEST}`);
  return path;
}

function relativePath(given: string, { roots, home }: RootNames): string {
  if (given.includes('\0')) throw createOutsideError(given, 'it contains a NUL character.');
  if (given.split(/[\\/]/).includes('..')) throw createOutsideError(given, "'..' is not followed.");
  if (/^~[^/]/.test(given)) {
    const cause = `'~' is the home folder. A name that begins so is written ./${formatPath(given)}.`;
    throw createOutsideError(given, cause);
  }
  const expanded = given.startsWith('~') ? home + given.slice(1) : given;
  const parts = splitPath(expanded).join('/');
  if (!expanded.startsWith('/')) return parts;
  const root = roots.find((one) => isWithin(`/${parts}`, one));
  if (root === undefined) throw createOutsideError(given, 'paths are relative to its root folder.');
  return `/${parts}`.slice(root.length).replace(/^\//, '');
}

/** True when an absolute path is a folder or something in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** The folder that a path below the root is in; empty for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export function appendPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function tooLongError(given: string, fact: string): FileError {
  return new FileError(`${formatPath(given)}: the path ${fact}.`, ['<R:.>']);
}

/** The refusal of a path, with the cause as a sentence and a tag that works. */
export function createOutsideError(given: string, cause: string): PathError {
  const parts: string[] = [];
  for (const part of splitPath(given)) {
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  const name = parts.at(-1) ?? '';
  const tag = /^[\w.-]+$/.test(name) ? `<G:**/${name}>` : '<R:.>';
  return new PathError(`${formatPath(given)} is outside the workspace: ${cause}`, [tag]);
}
