import { type Stats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type GlobQuery, spellAsGiven } from './list-files.ts';
import { type PatternScope, scopePattern } from './search-scope.ts';
import { type FolderEntries, TimeSlice, walkFolders } from './walk-folders.ts';
import { type RootFolder, appendPath } from '../path/root-folder.ts';

/** The requested files, and the ones among them that get a stamp. */
export interface StampQuery extends GlobQuery {
  /** Selects the files that get a stamp, by path. Default: all files. */
  readonly stamped?: (path: string) => boolean;
}

interface FoundStamps {
  /** Stamps by path. */
  readonly stamps: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
}

/** Maximum number of patterns whose folders are remembered: callers use the same few repeatedly. */
const MOST_PATTERNS = 16;

/** Finds files and detects whether they changed; fast for patterns that were used before. */
export class StampFinder {
  readonly #root: RootFolder;
  readonly #caches = new Map<string, FolderCache>();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /**
   * Finds the files that match a pattern, each with a stamp: a string that differs after each change of the file. It is
   * `''` for files for which no stamp is requested.
   */
  async find(query: StampQuery): Promise<ReadonlyMap<string, string>> {
    return (await this.look(query)).stamps;
  }

  /** Finds the same, and the folders that were searched, by their paths from the root. */
  async look(query: StampQuery): Promise<FoundStamps> {
    const { pattern, stamped = () => true, signal, onLink } = query;
    signal?.throwIfAborted();
    const stamps = new Map<string, string>();
    const scope = await scopePattern(pattern, this.#root, query);
    if (scope === undefined) return { stamps, folders: new Set() };
    // Files of a draft are not cached.
    const cache = this.#root.draft === undefined ? this.#cacheFor(query) : new FolderCache(this.#root);
    const slice = new TimeSlice();
    for (const file of await cache.files(scope, signal, onLink && ((link) => onLink(spellAsGiven(link, scope))))) {
      if (slice.isOver) await slice.rest();
      const path = spellAsGiven(file, scope);
      stamps.set(path, stamped(path) ? cache.stampOf(file) : '');
    }
    return { stamps, folders: cache.folders };
  }

  #cacheFor({ pattern, all = false }: StampQuery): FolderCache {
    const key = `${all}\0${pattern}`;
    const known = this.#caches.get(key);
    if (known !== undefined) return known;
    if (this.#caches.size === MOST_PATTERNS) this.#caches.clear();
    const cache = new FolderCache(this.#root);
    this.#caches.set(key, cache);
    return cache;
  }
}

interface CachedFolder extends FolderEntries {
  /** Stamp that differs after an entry of the folder was created, removed or renamed. */
  readonly stamp: string;
  /** Stamp of its `.gitignore`, `''` without one. */
  readonly rules: string;
}

/**
 * The folders that a file pattern covers, as they were last read: reading all folders of a large project takes ten
 * times as long as detecting which of them changed. Only changed folders are read again.
 */
export class FolderCache {
  readonly #root: RootFolder;
  #folders = new Map<string, CachedFolder>();
  /** The folder in which the scope begins, and the stamps of the rules that apply there. */
  #above = '';

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** The folders that were read last. */
  get folders(): ReadonlySet<string> {
    return new Set(this.#folders.keys());
  }

  /** Returns the stamp of a path below the root; `''` when it does not exist. */
  stampOf(path: string): string {
    const drafted = this.#root.draft?.stampOf(path);
    if (drafted !== undefined) return drafted;
    const stats = lstatSync(join(this.#root.path, path), { throwIfNoEntry: false });
    return stats === undefined ? '' : computeStamp(stats);
  }

  /** Lists the files of a scope, which must always have the same pattern, as `walkFolders` does. */
  async files(scope: PatternScope, signal?: AbortSignal, onLink?: (link: string) => void): Promise<readonly string[]> {
    const above = scope.rules === undefined ? scope.folder : this.#rulesAbove(scope.folder);
    // Ignored files are not cached, so different rules may include any of them.
    if (above !== this.#above || (scope.rules !== undefined && !this.#hasSameRules())) this.#folders.clear();
    this.#above = above;
    const folders = new Map<string, CachedFolder>();
    // Read before the folder and its rules, so that changes made during the read are detected the next time.
    let [stamp, rules] = ['', ''];
    const files = await walkFolders(scope, this.#root, {
      signal,
      onLink,
      recall: (path) => {
        stamp = this.stampOf(path);
        const known = this.#folders.get(path);
        if (known?.stamp === stamp) {
          folders.set(path, known);
          return known;
        }
        rules = this.stampOf(appendPath(path, '.gitignore'));
        return undefined;
      },
      remember: (path, entries) => {
        const known = this.#folders.get(path);
        if (known !== undefined && known.rules !== rules) this.#forgetBelow(path);
        folders.set(path, { stamp, rules, ...entries });
      },
    });
    this.#folders = folders;
    return files;
  }

  #rulesAbove(folder: string): string {
    const parts = folder.split('/');
    const stamps = parts.map((_, count) => this.stampOf([...parts.slice(0, count), '.gitignore'].join('/')));
    return [folder, ...stamps].join('\0');
  }

  #hasSameRules(): boolean {
    return [...this.#folders].every(
      ([path, { rules }]) => rules === '' || rules === this.stampOf(appendPath(path, '.gitignore')),
    );
  }

  #forgetBelow(path: string): void {
    const prefix = appendPath(path, '');
    for (const one of this.#folders.keys()) if (one.startsWith(prefix)) this.#folders.delete(one);
  }
}

/** Age from which the clock of the disk can distinguish a change from a following one, in milliseconds. */
const SETTLED_MS = 100;

let unsettled = 0;

/**
 * Computes a string that differs after a file was changed. For a recently changed file, it differs on every call,
 * because two changes within one tick of the disk's clock would look the same.
 */
export function computeStamp({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const stamp = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  return Math.abs(Date.now() - ctimeMs) < SETTLED_MS ? `${stamp}:${++unsettled}` : stamp;
}

/** Returns the part of a stamp that stays the same while a file does, also right after a change. */
export function readState(stamp: string | undefined): string | undefined {
  return stamp?.split(':').slice(0, 4).join(':');
}

/** Returns the number of a file on its disk by its stamp. */
export function readNumber(stamp: string | undefined): string | undefined {
  return stamp?.split(':')[0];
}

/** Tests for the stamp of a file that had just been changed. */
export function isUnsettled(stamp: string | undefined): boolean {
  return stamp?.split(':').length === 5;
}

/** Returns the size of a file by its stamp, in bytes. */
export function readSize(stamp: string): number {
  return Number(stamp.split(':')[1] ?? 0);
}
