import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfigurationError } from '@bae/core';
import { type Stats, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { FileError, PathError } from '../errors.ts';
import { type PathProtection, OWN_DATA, OWN_SETTINGS, findProtection, foldName } from './path-protection.ts';
import { type PinnedPath, isWithin, pinPath } from './pinned-path.ts';
import { formatPath } from './show-path.ts';

/** Closes the root folder of a workspace that nobody can use any more. */
const abandoned = new FinalizationRegistry<() => void>((close) => close());

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

/** What a folder has, as far as lists and searches need to know. */
export interface FolderEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** Files that were changed and are not written yet, beside those on disk. */
export interface FilesView {
  /** False once it was given up. */
  readonly isOpen: boolean;
  /**
   * What has a path below the root.
   *
   * @param onDisk what has it in the workspace; the caller disposes of both
   */
  find(path: string, onDisk: PinnedPath | undefined): PinnedPath | undefined;
  /** What a folder has, by what it has on disk. */
  list(folder: string, entries: readonly FolderEntry[]): readonly FolderEntry[];
  /** A text that is another one after the file was changed again; undefined for one that was not changed. */
  stampOf(path: string): string | undefined;
  /** Takes a folder out that nothing is in. */
  removeFolder(path: string): void;
}

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
  readonly #drafts = new AsyncLocalStorage<FilesView | undefined>();

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
  get draft(): FilesView | undefined {
    const draft = this.#drafts.getStore();
    // What was begun in a draft may go on after its end.
    return draft?.isOpen === true ? draft : undefined;
  }

  /** Runs work in a draft, or outside of any. */
  inDraft<T>(draft: FilesView | undefined, work: () => Promise<T>): Promise<T> {
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
