import { readlinkSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nearestName } from '@bae/core';
import { FileError, FileNotFoundError, systemError } from '../errors.ts';
import { containPath, outside } from './contain-path.ts';
import { OWN, protectionOfPlace } from './path-protection.ts';
import type { Held } from './pinned-path.ts';
import type { RootFolder } from './root-folder.ts';
import { showPath } from './show-path.ts';

const MOST_LINKS = 40;

/** Where a path leads after every link was followed. Held until it is disposed of. */
export interface Place extends Disposable {
  /** As it was asked for. */
  readonly given: string;
  /** Path below the root without links, `''` for the root; of a missing file, the one it would get. */
  readonly path: string;
  /** Every path below the root that led here: the one asked for, those of the links on the way, the last one. */
  readonly names: readonly string[];
  /** The deepest folder on the way that is there. */
  readonly folder: Held;
  /** Names of the folders below it that are not there. */
  readonly absent: readonly string[];
  /** Last part of the path, `''` for the root. */
  readonly name: string;
  /** What is there; absent when nothing is. */
  readonly target?: Held;
  readonly stats?: Stats;
}

/**
 * Follows a path from the root, component by component, each looked up in the folder that is held already, so
 * that no link leads out, and none that appears on the way.
 *
 * @throws PathError when the path or a link on it leaves the root; FileError when links go round in circles
 *   or a folder on the way cannot be searched
 */
export function findPlace(given: string, root: RootFolder): Place {
  return follow(containPath(given, root.names), given, root);
}

/** The same for a path that a search found below the root: every character of it is meant. */
export function findInside(path: string, root: RootFolder): Place {
  return follow(path, path, root);
}

function follow(path: string, given: string, root: RootFolder): Place {
  const walk = new Walk(given, root);
  try {
    return walk.follow(path);
  } catch (error) {
    walk.end();
    throw systemError(error, given);
  }
}

interface Step {
  readonly name: string;
  /** Absent when nothing has the name. */
  readonly held: Held | undefined;
}

class Walk {
  readonly #given: string;
  // Kept as long as anything in it is held: a root that nobody has any more is closed.
  readonly #folder: RootFolder;
  readonly #root: Held;
  #steps: Step[] = [];

  constructor(given: string, folder: RootFolder) {
    this.#given = given;
    this.#folder = folder;
    this.#root = folder.held;
  }

  follow(path: string): Place {
    const links: string[] = [];
    const pending = split(path);
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (name === '..') {
        this.#up();
        continue;
      }
      const held = this.#inside?.child(name);
      this.#steps.push({ name, held });
      if (held?.stats.isSymbolicLink() !== true) continue;
      links.push(this.#path);
      if (links.length > MOST_LINKS) {
        throw new FileError(`${showPath(this.#given)} leads through too many links.`, ['<R:.>']);
      }
      // From the root again, so that also what leads to the link is what it was.
      pending.unshift(...this.#behindLink(this.#path));
      this.end();
    }
    return this.#place([path, ...links, this.#path]);
  }

  /** Lets go of everything. */
  end(): void {
    for (const { held } of this.#steps) held?.[Symbol.dispose]();
    this.#steps = [];
  }

  get #path(): string {
    return this.#steps.map(({ name }) => name).join('/');
  }

  /** The folder reached; undefined when it is none, or is not there. */
  get #inside(): Held | undefined {
    const last = this.#steps.length === 0 ? this.#root : this.#steps.at(-1)?.held;
    return last?.stats.isDirectory() === true ? last : undefined;
  }

  #up(): void {
    const step = this.#steps.pop();
    if (step === undefined) throw leaves(this.#given, this.#given);
    step.held?.[Symbol.dispose]();
  }

  /** The names to follow from the root in place of a link's. */
  #behindLink(link: string): string[] {
    const folders = this.#steps.slice(0, -1);
    const folder = folders.at(-1)?.held ?? this.#root;
    const target = readlinkSync(folder.at(this.#steps.at(-1)?.name ?? ''));
    if (!target.startsWith('/')) return [...folders.map(({ name }) => name), ...split(target)];
    const { roots } = this.#folder.names;
    const root = roots.find((root) => target === root || target.startsWith(root === '/' ? root : `${root}/`));
    if (root === undefined) throw leaves(this.#given, link);
    return split(target.slice(root.length));
  }

  #place(names: readonly string[]): Place {
    const path = this.#path;
    const last = this.#steps.at(-1) ?? { name: '', held: this.#root };
    const above = this.#steps.slice(0, -1);
    const deepest = above.findLastIndex(({ held }) => held?.stats.isDirectory() === true);
    const absent = above.slice(deepest + 1).map(({ name }) => name);
    return {
      given: this.#given,
      path,
      names,
      folder: above[deepest]?.held ?? this.#root,
      absent,
      name: last.name,
      ...(last.held !== undefined && { target: last.held, stats: last.held.stats }),
      [Symbol.dispose]: () => this.end(),
    };
  }
}

function leaves(given: string, link: string): Error {
  return outside(given, `the link ${showPath(link)} leads out of it.`);
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** What is known of a path without reading it. */
export interface PathInfo {
  /** Path below the root, without links: the same for every spelling of the same file. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'special' | 'missing';
  /** Bytes; 0 for what is missing. */
  readonly size: number;
  /**
   * Why the content is shown only when the user allows it: `may hold passwords`; undefined for everything else.
   * Also for what is not there.
   */
  readonly secrecy: string | undefined;
}

/** Says of a place what is there. */
export function infoOf(place: Place): PathInfo {
  const { path, stats } = place;
  const secrecy = secrecyOf(place);
  if (stats === undefined) return { path, kind: 'missing', size: 0, secrecy };
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'special';
  return { path, kind, size: stats.size, secrecy };
}

function secrecyOf(place: Place): string | undefined {
  const protection = protectionOfPlace(place);
  return protection?.secret === true && protection.is !== OWN ? protection.is : undefined;
}

/** The error for a place where nothing is, naming the sibling that was probably meant. */
export async function missingFile(place: Pick<Place, 'given' | 'path'>, root: RootFolder): Promise<FileNotFoundError> {
  const shown = showPath(place.given);
  const { folder, suggestion } = await nearestPath(place.path, root);
  if (suggestion === undefined) {
    return new FileNotFoundError(`${shown} does not exist.`, [`<R:${showPath(folder || '.')}>`]);
  }
  return new FileNotFoundError(`${shown}. Did you mean ${showPath(suggestion)}?`, [`<R:${showPath(suggestion)}>`]);
}

interface Nearest {
  /** The deepest folder of the path that is there. */
  readonly folder: string;
  readonly suggestion?: string;
}

/** Replaces the first part of the path that is missing by the name most like it, and keeps the rest if that is there. */
async function nearestPath(path: string, root: RootFolder): Promise<Nearest> {
  const parts = path.split('/');
  let folder = '';
  for (const [index, part] of parts.entries()) {
    const next = join(folder, part);
    if (isThere(next, root)) {
      folder = next;
      continue;
    }
    const near = nearestName(part, await namesIn(folder, root));
    if (near === undefined) return { folder };
    const whole = join(folder, near, ...parts.slice(index + 1));
    return { folder, suggestion: isThere(whole, root) ? whole : join(folder, near) };
  }
  return { folder };
}

function isThere(path: string, root: RootFolder): boolean {
  try {
    using place = findInside(path, root);
    return place.stats !== undefined;
  } catch {
    return false;
  }
}

async function namesIn(folder: string, root: RootFolder): Promise<readonly string[]> {
  using place = findInside(folder, root);
  if (place.target === undefined) return [];
  const names: string[] = await readdir(place.target.address).catch(() => []);
  return names.toSorted();
}
