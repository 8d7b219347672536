import { readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { findNearestName } from '@bae/core';
import { FileError, FileNotFoundError, translateSystemError } from '../errors.ts';
import { findSecrecy, foldName, findProtection, type PathProtection } from './path-protection.ts';
import { isSameFile, type PinnedPath } from './pinned-path.ts';
import { appendPath, containPath, createOutsideError, splitPath, type RootFolder } from './root-folder.ts';
import { formatPath } from './show-path.ts';

const MOST_LINKS = 40;

/** Target of a path after following all links. Pinned until it is disposed of. */
export interface ResolvedPath extends Disposable {
  readonly given: string;
  /** Path below the root without links, `''` for the root; for a missing file, the path that it would get. */
  readonly path: string;
  /** Protection by any of the paths that led here: the given path, those of the links followed, and the last one. */
  readonly protection: PathProtection | undefined;
  /** The deepest existing folder of the path. */
  readonly folder: PinnedPath;
  /** Names of the missing folders below it. */
  readonly missingFolders: readonly string[];
  /** Last part of the path, `''` for the root. */
  readonly name: string;
  /** The file or folder; absent if it does not exist. */
  readonly target?: PinnedPath;
  readonly stats?: Stats;
}

/**
 * Follows a path from the root, component by component. Each is looked up in a folder that is already pinned, so that
 * no link leads out of the root, even one that is created in the meantime.
 *
 * @throws PathError when the path or a link on it leaves the root; FileError when links form a cycle or one of its
 *   folders cannot be searched
 */
export function resolveGivenPath(given: string, root: RootFolder, how?: HowToFollow): ResolvedPath {
  return follow({ path: containPath(given, root.names), given, ...how }, root);
}

/** Follows a path that is known to be below the root, such as a search result: `~` and `..` are plain names. */
export function resolveBelowRoot(path: string, root: RootFolder, how?: HowToFollow): ResolvedPath {
  return follow({ path, given: path, ...how }, root);
}

interface HowToFollow {
  /** True for what the path names: a link at its end is not followed. Default: false. */
  readonly itself?: boolean | undefined;
}

/** Follows a path to which no link led before; undefined if one does now, or if a part of it is no folder any more. */
export function resolveWithoutLinks(path: string, root: RootFolder): ResolvedPath | undefined {
  try {
    const found = resolveBelowRoot(path, root);
    if (found.path === path) return found;
    found[Symbol.dispose]();
  } catch {
    // It leads out of the workspace, in a circle, or through a file.
  }
  return undefined;
}

interface Way extends HowToFollow {
  readonly path: string;
  readonly given: string;
}

function follow({ path, given, itself = false }: Way, root: RootFolder): ResolvedPath {
  const walk = new Walk(given, root);
  try {
    return walk.follow(path, itself);
  } catch (error) {
    walk.release();
    throw translateSystemError(error, given);
  }
}

interface Step {
  readonly name: string;
  /** The pinned entry; undefined when the name does not exist. */
  readonly pin: PinnedPath | undefined;
}

class Walk {
  readonly #given: string;
  readonly #folder: RootFolder;
  readonly #root: PinnedPath;
  #isReleased = false;
  #steps: Step[] = [];

  constructor(given: string, folder: RootFolder) {
    this.#given = given;
    this.#folder = folder;
    this.#root = folder.hold();
  }

  follow(path: string, itself: boolean): ResolvedPath {
    const links: string[] = [];
    const pending = splitPath(path);
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (name === '..') {
        this.#goUp();
        continue;
      }
      const folder = this.#currentFolder;
      const pin = folder?.child(name);
      this.#steps.push({ name: folder && pin ? this.#findStoredName(folder, name, pin) : name, pin });
      if (pin?.stats.isSymbolicLink() !== true || (itself && pending.length === 0)) continue;
      links.push(this.#path);
      if (links.length > MOST_LINKS) {
        throw new FileError(`${formatPath(this.#given)} leads through too many links.`, ['<R:.>']);
      }
      // Start from the root again, so that the path to the link is checked again, too.
      pending.unshift(...this.#readLink(this.#path));
      this.#leaveSteps();
    }
    return this.#finish(new Set([path, ...links, this.#path]));
  }

  /** Releases everything that is pinned, and the root folder. Can be called more than once. */
  release(): void {
    this.#leaveSteps();
    if (!this.#isReleased) this.#folder.release();
    this.#isReleased = true;
  }

  #leaveSteps(): void {
    for (const { pin } of this.#steps) pin?.[Symbol.dispose]();
    this.#steps = [];
  }

  get #path(): string {
    return this.#steps.map(({ name }) => name).join('/');
  }

  /** The current folder; undefined when it is not a folder or does not exist. */
  get #currentFolder(): PinnedPath | undefined {
    const last = this.#steps.length === 0 ? this.#root : this.#steps.at(-1)?.pin;
    return last?.stats.isDirectory() === true ? last : undefined;
  }

  #goUp(): void {
    const step = this.#steps.pop();
    if (step === undefined) throw this.#leavesError(this.#given);
    step.pin?.[Symbol.dispose]();
  }

  /** Finds the name that the folder has for an entry: one file has one path, so that rules know it by every spelling. */
  #findStoredName(folder: PinnedPath, name: string, { identity }: PinnedPath): string {
    if (!this.#folder.foldsNames) return name;
    const names = readdirSync(folder.address);
    if (names.includes(name)) return name;
    const isSame = (one: string): boolean => foldName(one) === foldName(name);
    // Short names of Windows have other letters than the name that they stand for.
    for (const one of [...names.filter(isSame), ...names]) {
      using pin = folder.child(one);
      if (pin !== undefined && isSameFile(pin.identity, identity)) return one;
    }
    throw createOutsideError(this.#given, `its folder does not list '${formatPath(name)}'.`);
  }

  /** Reads the names to follow from the root instead of a link. */
  #readLink(link: string): string[] {
    const folders = this.#steps.slice(0, -1);
    const folder = folders.at(-1)?.pin ?? this.#root;
    const target = readlinkSync(folder.childAddress(this.#steps.at(-1)?.name ?? ''));
    const { roots, dialect } = this.#folder.names;
    if (!dialect.isAbsolute(target)) return [...folders.map(({ name }) => name), ...dialect.split(target)];
    const below = roots.map((root) => dialect.below(target, root)).find((path) => path !== undefined);
    if (below === undefined) throw this.#leavesError(link);
    return splitPath(below);
  }

  #finish(paths: ReadonlySet<string>): ResolvedPath {
    const last = this.#steps.at(-1) ?? { name: '', pin: this.#root };
    const above = this.#steps.slice(0, -1);
    const deepest = above.findLastIndex(({ pin }) => pin?.stats.isDirectory() === true);
    const target = this.#findTarget(last);
    return {
      given: this.#given,
      path: this.#path,
      protection: this.#folder.findProtection(...paths),
      folder: above[deepest]?.pin ?? this.#root,
      missingFolders: above.slice(deepest + 1).map(({ name }) => name),
      name: last.name,
      ...(target !== undefined && { target, stats: target.stats }),
      [Symbol.dispose]: () => this.release(),
    };
  }

  /** Finds the target of the path on disk, or in the draft of a run block. */
  #findTarget({ name, pin }: Step): PinnedPath | undefined {
    const { draft } = this.#folder;
    if (draft === undefined || name === '') return pin;
    const found = draft.find(this.#path, pin);
    if (found === pin) return pin;
    pin?.[Symbol.dispose]();
    // Store the pin, so that it is released with the others.
    this.#steps[this.#steps.length - 1] = { name, pin: found };
    return found;
  }

  #leavesError(link: string): Error {
    return createOutsideError(this.#given, `the link ${formatPath(link)} leads out of it.`);
  }
}

/** Properties of a path that are known without reading it. */
export interface PathInfo {
  /** Path below the root, without links: the same for every spelling of the same file. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'special' | 'missing';
  readonly size: number;
  /**
   * Reason for asking the user before the content is shown: `may hold passwords`; undefined if it can be shown freely.
   * Also set for missing files.
   */
  readonly secrecy: string | undefined;
  /** Time of the last change of the content; absent for missing files. */
  readonly modified?: Date;
}

export function describePath(resolved: ResolvedPath): PathInfo {
  const { path, stats } = resolved;
  const secrecy = findSecrecy(resolved);
  if (stats === undefined) return { path, kind: 'missing', size: 0, secrecy };
  return { path, kind: findKind(stats), size: stats.size, secrecy, modified: stats.mtime };
}

function findKind(stats: Stats): PathInfo['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'special';
}

/** Creates the error for a missing path, naming the sibling that was probably meant. */
export function createMissingError(
  { given, path }: Pick<ResolvedPath, 'given' | 'path'>,
  root: RootFolder,
): FileNotFoundError {
  const { folder, suggestion } = findNearestPath(path, root);
  if (suggestion === undefined) {
    return new FileNotFoundError(`${formatPath(given)} does not exist.`, [`<R:${formatPath(folder || '.')}>`]);
  }
  const message = `${formatPath(given)}. Did you mean ${formatPath(suggestion)}?`;
  return new FileNotFoundError(message, [`<R:${formatPath(suggestion)}>`]);
}

/** Replaces the first missing part of a path with the most similar name, and finds the deepest existing folder. */
function findNearestPath(path: string, root: RootFolder): { readonly folder: string; readonly suggestion?: string } {
  const parts = path.split('/');
  let folder = '';
  for (const [index, part] of parts.entries()) {
    const next = appendPath(folder, part);
    if (exists(next, root)) {
      folder = next;
      continue;
    }
    const near = findNearestName(part, listFolderNames(folder, root));
    if (near === undefined) return { folder };
    const whole = [appendPath(folder, near), ...parts.slice(index + 1)].join('/');
    return { folder, suggestion: exists(whole, root) ? whole : appendPath(folder, near) };
  }
  return { folder };
}

function exists(path: string, root: RootFolder): boolean {
  try {
    using resolved = resolveBelowRoot(path, root);
    return resolved.stats !== undefined;
  } catch {
    return false;
  }
}

function listFolderNames(folder: string, root: RootFolder): readonly string[] {
  try {
    using resolved = resolveBelowRoot(folder, root);
    return resolved.target === undefined ? [] : readdirSync(resolved.target.address).toSorted();
  } catch {
    return [];
  }
}

/** What a link leads to. */
export interface FollowedLink {
  /** Path below the root, without links; absolute if it is elsewhere. */
  readonly path: string;
  readonly isSecret: boolean;
}

/** Follows a link; undefined for one that leads nowhere, or out of the root to something other than a secret. */
export function followLink(link: string, root: RootFolder): FollowedLink | undefined {
  try {
    using found = resolveBelowRoot(link, root);
    return found.stats === undefined ? undefined : { path: found.path, isSecret: found.protection?.secret === true };
  } catch {
    return followOut(join(root.path, link));
  }
}

function followOut(link: string): FollowedLink | undefined {
  try {
    const path = realpathSync(link);
    return findProtection(path)?.secret === true ? { path, isSecret: true } : undefined;
  } catch {
    return undefined;
  }
}
