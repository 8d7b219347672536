import { AsyncLocalStorage } from 'node:async_hooks';
import { opendirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve, isAbsolute, relative, sep } from 'node:path';
import { ConfigurationError, type Approver } from '@bae/core';
import { FileError, PathError, UndeclaredChangeError } from '../errors.ts';
import { findRealFile, listWays } from './list-ways.ts';
import { BY_RULE, OWN_DATA, OWN_SETTINGS, findProtection, foldName, type PathProtection } from './path-protection.ts';
import { SYSTEM_DIALECT, type PathDialect } from './path-dialect.ts';
import { isSameFile, isWithin, pinPath, type FileIdentity, type PinnedPath } from './pinned-path.ts';
import { formatPath } from './show-path.ts';

/** Closes the root folder of a workspace that is no longer referenced. */
const abandoned = new FinalizationRegistry<() => void>((close) => close());

/** Absolute paths of the application's files and folders: no tool may write them, wherever they are. */
export interface OwnFiles {
  /** Databases, decisions and keys: no tool may read them either. */
  readonly data?: readonly string[];
  readonly settings?: readonly string[];
}

/**
 * Looks up the text of a file in an editor that may have unsaved changes.
 *
 * @param path absolute, without links, below the root
 * @returns undefined when the editor does not have the file
 */
export type ReadUnsaved = (path: string) => Promise<string | undefined>;

/** An entry of a folder, with the properties that lists and searches need. */
export interface FolderEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Changed files that are not written yet, in addition to those on disk. */
export interface FilesView {
  /** False after it was discarded. */
  readonly isOpen: boolean;
  /**
   * Finds the file or folder at a path below the root.
   *
   * @param onDisk the one in the workspace; the caller disposes of both
   */
  find(path: string, onDisk: PinnedPath | undefined): PinnedPath | undefined;
  /** Lists the entries of a folder, given its entries on disk. */
  list(folder: string, entries: readonly FolderEntry[]): readonly FolderEntry[];
  /** Returns a string that is different after each change of a file; undefined for an unchanged file. */
  stampOf(path: string): string | undefined;
  /** Removes an empty folder. */
  removeFolder(path: string): void;
}

interface RootOptions {
  readonly pin?: (path: string) => PinnedPath;
  readonly ownFiles?: OwnFiles | undefined;
  readonly readUnsaved?: ReadUnsaved | undefined;
}

/** A rule of a user about files, whatever tool uses them. */
export type FileRule = NonNullable<Approver['fileRules']>[number];

const NO_RULES: readonly FileRule[] = [];

/** Folded paths below the root with their protection. */
interface OwnPaths {
  readonly paths: ReadonlySet<string>;
  readonly protection: PathProtection;
}

/** Lists the application's files in the root folder, by every path that leads to them through links. */
function listOwnPaths({ data = [], settings = [] }: OwnFiles, { roots, dialect }: RootNames): readonly OwnPaths[] {
  const list = (files: readonly string[]) =>
    listWays(files)
      .flatMap((file) => roots.map((root) => dialect.below(file, root) ?? ''))
      .filter((path) => path !== '')
      .map(foldPath);
  return [
    { paths: new Set(list(data)), protection: OWN_DATA },
    { paths: new Set(list(settings)), protection: OWN_SETTINGS },
  ].filter(({ paths }) => paths.size > 0);
}

function foldPath(path: string): string {
  return splitPath(path).map(foldName).join('/');
}

/** The folder that a workspace consists of, pinned while the workspace is open. */
export class RootFolder implements Disposable {
  readonly names: RootNames;
  /** Looks up unsaved text in an editor. */
  readonly readUnsaved: ReadUnsaved | undefined;
  readonly #pin: PinnedPath;
  readonly #identity: FileIdentity;
  #isClosed = false;
  /** Number of accesses that still use the pin. */
  #holders = 0;
  #foldsNames: boolean | undefined;

  /** Absolute paths of the application's data, in this folder or elsewhere. */
  readonly ownData: readonly string[];
  readonly #own: readonly OwnPaths[];
  readonly #rules = new Set<readonly FileRule[]>();
  readonly #drafts = new AsyncLocalStorage<FilesView | undefined>();
  readonly #declared = new AsyncLocalStorage<readonly string[]>();

  /** @param folder a relative path starts from the working directory of the process */
  constructor(folder: string, { pin = pinPath, ownFiles = {}, readUnsaved }: RootOptions = {}) {
    this.readUnsaved = readUnsaved;
    const absolute = resolve(folder);
    const real = realFolder(absolute);
    this.names = { roots: [real, absolute], home: homedir(), dialect: SYSTEM_DIALECT };
    this.#own = listOwnPaths(ownFiles, this.names);
    this.ownData = (ownFiles.data ?? []).map((file) => findRealFile(resolve(file)));
    const pinned = pin(real);
    this.#pin = pinned;
    this.#identity = pinned.identity;
    abandoned.register(this, () => pinned[Symbol.dispose](), this);
  }

  /** Rules about files, of everyone who uses this folder. */
  get rules(): readonly FileRule[] {
    return this.#rules.size === 0 ? NO_RULES : [...this.#rules].flat();
  }

  /** Adds rules about files. Rules of others, who use the same folder, continue to apply. */
  restrict(rules: readonly FileRule[]): void {
    if (rules.length > 0) this.#rules.add(rules);
  }

  /**
   * Finds the protection of a file by all paths below the root that lead to it: by its name, as an application file, or
   * by a rule about reading.
   */
  findProtection(...paths: readonly string[]): PathProtection | undefined {
    const found = this.#findOwn(paths) ?? findProtection(...paths);
    if (found?.secret === true || this.#rules.size === 0) return found;
    const isRestricted = this.rules.some(({ effect, matches }) => effect === 'read' && paths.some(matches));
    return isRestricted ? BY_RULE : found;
  }

  #findOwn(paths: readonly string[]): PathProtection | undefined {
    if (this.#own.length === 0) return undefined;
    const reached = paths.map(foldPath).flatMap((path) => [path, ...parentsOf(path)]);
    return this.#own.find((own) => reached.some((path) => own.paths.has(path)))?.protection;
  }

  /** The draft that the running code works in; undefined when it works on the files themselves. */
  get draft(): FilesView | undefined {
    const draft = this.#drafts.getStore();
    // Work that began in a draft may continue after its end.
    return draft?.isOpen === true ? draft : undefined;
  }

  /** Runs work in a draft, or outside of any. */
  inDraft<T>(draft: FilesView | undefined, work: () => Promise<T>): Promise<T> {
    return this.#drafts.run(draft, work);
  }

  /** Runs work that may change only these files, and everything that it starts. */
  confine<T>(paths: readonly string[], work: () => T): T {
    return this.#declared.run(paths, work);
  }

  /**
   * Checks that the running code may change files, or remove folders that it has emptied.
   *
   * @param paths below the root, without links
   * @throws UndeclaredChangeError when it is confined to others
   */
  refuseUndeclared(paths: readonly string[], { isFolder = false } = {}): void {
    const declared = this.#declared.getStore();
    if (declared === undefined) return;
    const fold = (path: string) => splitPath(this.foldsNames ? foldPath(path) : path).join('/');
    // Rules do not take an absolute path for one below the root.
    const known = new Set(declared.filter((path) => !path.startsWith('/')).map(fold));
    const isDeclared = (path: string) => known.has(path) || (isFolder && [...known].some((one) => isWithin(one, path)));
    const other = paths.find((path) => !isDeclared(fold(path)));
    if (other !== undefined) throw createUndeclaredError(other, declared);
  }

  /** True if the disk has one file for `a.txt` and `A.TXT`, as on most machines with macOS or Windows. */
  get foldsNames(): boolean {
    this.#foldsNames ??= findFolding(this.pin);
    return this.#foldsNames ?? false;
  }

  /** Absolute path of the folder, without links. */
  get path(): string {
    return this.names.roots[0] as string;
  }

  get pin(): PinnedPath {
    if (this.#isClosed) throw new FileError(`the workspace ${this.path} was closed. Open it again.`);
    const now = findIdentity(this.path);
    if (now !== undefined && isSameFile(now, this.#identity)) return this.#pin;
    const became = now === undefined ? 'is gone' : 'is another folder now';
    throw new FileError(`the workspace ${this.path} ${became}: it was removed, renamed or replaced. Start bae again.`);
  }

  /** Returns the pin for an access, which calls `release` at its end: until then, the folder stays open. */
  hold(): PinnedPath {
    const { pin } = this;
    this.#holders++;
    return pin;
  }

  release(): void {
    this.#holders--;
    this.#closeUnused();
  }

  /** Closes the folder: nothing can be accessed from now on, and what is being accessed can end. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closeUnused();
  }

  /** Closes the pin. Not earlier: the number of a closed descriptor can become that of any other file. */
  #closeUnused(): void {
    if (!this.#isClosed || this.#holders > 0) return;
    abandoned.unregister(this);
    this.#pin[Symbol.dispose]();
  }
}

/** Looks for the first entry of a folder that has letters by its name in the other case. */
function findFolding(folder: PinnedPath): boolean | undefined {
  using entries = opendirSync(folder.address);
  for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
    const { name } = entry;
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    if (other === name) continue;
    using pin = folder.child(name);
    using found = folder.child(other);
    return pin !== undefined && found !== undefined && isSameFile(pin.identity, found.identity);
  }
  return undefined;
}

function createUndeclaredError(path: string, declared: readonly string[]): UndeclaredChangeError {
  const name = formatPath(path);
  const most = declared.slice(0, MOST_DECLARED).map(formatPath);
  const others = declared.length > most.length ? `${most.join(', ')} and more` : most.join(', ');
  const fact = `${name} was not changed: the call has not declared that it changes it`;
  const remedy = 'The author of a tool lists every file in `touches` of the change that it plans.';
  return new UndeclaredChangeError(`${fact}${others && `, only ${others}`}. ${remedy}`, [
    `touches: [{ path: ${JSON.stringify(path)} }]`,
  ]);
}

/** Maximum number of declared files in an error. */
const MOST_DECLARED = 3;

function findIdentity(path: string): FileIdentity | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new ConfigurationError(`the workspace ${folder} does not exist. Name a folder that exists.`, [], error);
  }
  throw new ConfigurationError(`the workspace ${folder} is a file. Name a folder.`);
}

/** The names under which a workspace's root folder is known. */
export interface RootNames {
  /** Absolute names of the root folder, the real one first. */
  readonly roots: readonly string[];
  readonly home: string;
  /** How the system writes paths. */
  readonly dialect: PathDialect;
}

/** Maximum length of a path, in bytes: no system opens longer ones. */
const LONGEST = 4096;
/** Maximum number of parts of a path: each folder in it takes time and memory. */
const DEEPEST = 255;

/**
 * Turns a path into one below the root by its text alone: `./src//a.ts` becomes `src/a.ts`, the root the empty string.
 * `..` is refused even if it would stay inside, because its target depends on links.
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

function relativePath(given: string, { roots, home, dialect }: RootNames): string {
  if (given.includes('\0')) throw createOutsideError(given, 'it contains a NUL character.');
  if (given.split(/[\\/]/).includes('..')) throw createOutsideError(given, "'..' is not followed.");
  const [first = ''] = dialect.split(given);
  if (given.startsWith('~') && first !== '~') {
    const cause = `'~' is the home folder. A name that begins with it is written ./${formatPath(given)}.`;
    throw createOutsideError(given, cause);
  }
  const expanded = given.startsWith('~') ? home + given.slice(1) : given;
  const obstacle = dialect.findObstacle(expanded);
  if (obstacle !== undefined) throw createOutsideError(given, obstacle);
  if (!dialect.isAbsolute(expanded)) return dialect.split(expanded).join('/');
  const below = roots.map((root) => dialect.below(expanded, root)).find((path) => path !== undefined);
  if (below === undefined) throw createOutsideError(given, 'paths are relative to its root folder.');
  return below;
}

export function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** Returns the folder that contains a path below the root; empty for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Lists the folders above a path below the root, outermost first. */
export function parentsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

export function appendPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function tooLongError(given: string, fact: string): FileError {
  return new FileError(`${formatPath(given)}: the path ${fact}.`, ['<R:.>']);
}

/** Creates the refusal of a path, with the cause as a sentence and a tag that works. */
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

/**
 * Finds the path of a file or folder below another folder, with `/` between names and without links. Returns undefined
 * if it is elsewhere, or does not exist. A path that does not begin with that of the folder is not looked up: it may be
 * a stranger's, on a disk that never answers.
 */
export function locateBelow(folder: string, path: string): string | undefined {
  try {
    const real = realpathSync(folder);
    if (![folder, real].some((start) => getInner(start, path) !== undefined)) return undefined;
    return getInner(real, realpathSync(path))?.replaceAll(sep, '/');
  } catch {
    return undefined;
  }
}

function getInner(folder: string, path: string): string | undefined {
  const inner = relative(folder, path);
  return inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner) ? undefined : inner;
}
