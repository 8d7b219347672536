import { type Stats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type GlobQuery, spellAsGiven } from './list-files.ts';
import { type PatternScope, scopePattern } from './search-scope.ts';
import { type FolderEntries, TimeSlice, walkFolders } from './walk-folders.ts';
import { type RootFolder, appendPath } from '../path/root-folder.ts';

/** Which files are wanted, and of which of them it is to be known whether they changed. */
export interface StampQuery extends GlobQuery {
  /** Takes a path. Default: of all of them. */
  readonly stamped?: (path: string) => boolean;
}

/** Patterns whose folders are remembered: callers use the same few again and again. */
const MOST_PATTERNS = 16;

/** Finds files and whether they changed, quickly for patterns that were used before. */
export class StampFinder {
  readonly #root: RootFolder;
  readonly #caches = new Map<string, FolderCache>();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /**
   * Finds the files a pattern names, each with a stamp: a text that is another one after the file was changed. It is
   * `''` for files whose stamp is not wanted.
   */
  async find(query: StampQuery): Promise<ReadonlyMap<string, string>> {
    const { pattern, stamped = () => true, signal } = query;
    signal?.throwIfAborted();
    const stamps = new Map<string, string>();
    const scope = await scopePattern(pattern, this.#root, query);
    if (scope === undefined) return stamps;
    // What a draft has is not remembered.
    const cache = this.#root.draft === undefined ? this.#cacheFor(query) : new FolderCache(this.#root);
    const slice = new TimeSlice();
    for (const file of await cache.files(scope, signal)) {
      if (slice.isOver) await slice.rest();
      const path = spellAsGiven(file, scope);
      stamps.set(path, stamped(path) ? cache.stampOf(file) : '');
    }
    return stamps;
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
  /** Another one after something in the folder was created, removed or renamed. */
  readonly stamp: string;
  /** That of its `.gitignore`, `''` without one. */
  readonly rules: string;
}

/**
 * The folders that a file pattern leads into, each as it was when it was last read: to read all folders of a large
 * project takes ten times as long as to see which of them changed. Only those are read again.
 */
export class FolderCache {
  readonly #root: RootFolder;
  #folders = new Map<string, CachedFolder>();
  /** Where the scope begins, and the stamps of the rules that hold there. */
  #above = '';

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** The stamp of a path below the root; `''` when nothing has it. */
  stampOf(path: string): string {
    const drafted = this.#root.draft?.stampOf(path);
    if (drafted !== undefined) return drafted;
    const stats = lstatSync(join(this.#root.path, path), { throwIfNoEntry: false });
    return stats === undefined ? '' : computeStamp(stats);
  }

  /** Lists the files of a scope, always that of the same pattern, as `walkFolders` does. */
  async files(scope: PatternScope, signal?: AbortSignal): Promise<readonly string[]> {
    const above = scope.rules === undefined ? scope.folder : this.#rulesAbove(scope.folder);
    // What was ignored is not known, so that other rules may bring back anything.
    if (above !== this.#above || (scope.rules !== undefined && !this.#hasSameRules())) this.#folders.clear();
    this.#above = above;
    const folders = new Map<string, CachedFolder>();
    // Taken before the folder and its rules are read: what happens meanwhile is seen the next time.
    let [stamp, rules] = ['', ''];
    const files = await walkFolders(scope, this.#root, {
      signal,
      recall: (path) => {
        stamp = this.stampOf(path);
        const known = this.#folders.get(path);
        if (known?.stamp === stamp) {
          folders.set(path, known);
          return known;
        }
        rules = this.stampOf(join(path, '.gitignore'));
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
    const stamps = parts.map((_, count) => this.stampOf(join(...parts.slice(0, count), '.gitignore')));
    return [folder, ...stamps].join('\0');
  }

  #hasSameRules(): boolean {
    return [...this.#folders].every(
      ([path, { rules }]) => rules === '' || rules === this.stampOf(join(path, '.gitignore')),
    );
  }

  #forgetBelow(path: string): void {
    const prefix = appendPath(path, '');
    for (const one of this.#folders.keys()) if (one.startsWith(prefix)) this.#folders.delete(one);
  }
}

/** How old a change must be, in milliseconds, for the clock of the disk to distinguish it from one that follows. */
const SETTLED_MS = 100;

let unsettled = 0;

/**
 * Computes a text that is another one after a file was changed. A file that was changed a moment ago has another stamp
 * each time, because two changes within one tick of the disk's clock would look the same.
 */
export function computeStamp({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const stamp = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  return Math.abs(Date.now() - ctimeMs) < SETTLED_MS ? `${stamp}:${++unsettled}` : stamp;
}
