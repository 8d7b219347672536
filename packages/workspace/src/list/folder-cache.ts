import { type Dirent, lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { FolderReader, TimeSlice } from './folder-reader.ts';
import { below, type GlobQuery } from './list-files.ts';
import { type PatternScope, patternScope } from './search-scope.ts';
import type { RootFolder } from '../path/root-folder.ts';

/** A folder as it was when it was read. */
interface KnownFolder {
  /** Another one after something in the folder was created, removed or renamed. */
  readonly stamp: string;
  /** That of its `.gitignore`, `''` without one. */
  readonly rules: string;
  /** Paths of the files that are wanted, and of the folders; below the root. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/**
 * The folders that a file pattern leads into, each as it was when it was last read: to read all folders of a large
 * project takes ten times as long as to see which of them changed. Only those are read again.
 */
export class KnownFolders {
  readonly #root: RootFolder;
  #known = new Map<string, KnownFolder>();
  /** Where the scope begins, and the stamps of the rules that hold there. */
  #above = '';

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** What the disk says of a path below the root, as a stamp; `''` when nothing has it. */
  stampOf(path: string): string {
    const stats = lstatSync(join(this.#root.path, path), { throwIfNoEntry: false });
    return stats === undefined ? '' : stampOf(stats);
  }

  /**
   * The regular files of a scope that match, as paths below the root, in no order. Links are not followed.
   *
   * @param scope always that of the same pattern
   * @throws the signal's reason when it aborts
   */
  async files(scope: PatternScope, signal?: AbortSignal): Promise<readonly string[]> {
    const above = scope.rules === undefined ? scope.folder : this.#rulesAbove(scope.folder);
    // What was ignored is not known, so that other rules may bring back anything.
    if (above !== this.#above || (scope.rules !== undefined && !this.#hasSameRules())) this.#known.clear();
    this.#above = above;
    using reader = new FolderReader(scope, this.#root, signal);
    const now = new Map<string, KnownFolder>();
    let level = [scope.folder];
    for (let depth = 1; level.length > 0 && depth <= (scope.depth ?? Infinity); depth++) {
      const below: string[] = [];
      for (const path of level) {
        const folder = await this.#look(path, scope, reader);
        now.set(path, folder);
        below.push(...folder.folders);
      }
      level = below;
    }
    this.#known = now;
    return [...now.values()].flatMap(({ files }) => files);
  }

  #rulesAbove(folder: string): string {
    const parts = folder.split('/');
    const stamps = parts.map((_, count) => this.stampOf(join(...parts.slice(0, count), '.gitignore')));
    return [folder, ...stamps].join('\0');
  }

  #hasSameRules(): boolean {
    return [...this.#known].every(
      ([path, { rules }]) => rules === '' || rules === this.stampOf(join(path, '.gitignore')),
    );
  }

  async #look(path: string, scope: PatternScope, reader: FolderReader): Promise<KnownFolder> {
    await reader.rest();
    // Before the folder and its rules are read: what happens meanwhile is seen the next time.
    const stamp = this.stampOf(path);
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known;
    const rules = this.stampOf(join(path, '.gitignore'));
    const entries = await reader.read(path);
    if (known !== undefined && known.rules !== rules) this.#forgetBelow(path);
    const paths = (some: readonly Dirent[]) => some.map(({ name }) => (path === '' ? name : `${path}/${name}`));
    const start = scope.folder === '' ? 0 : scope.folder.length + 1;
    const files = paths(entries.filter((entry) => entry.isFile()));
    return {
      stamp,
      rules,
      files: files.filter((file) => scope.matches?.(file.slice(start)) !== false),
      folders: paths(entries.filter((entry) => entry.isDirectory())),
    };
  }

  #forgetBelow(path: string): void {
    const prefix = path === '' ? '' : `${path}/`;
    for (const one of this.#known.keys()) if (one.startsWith(prefix)) this.#known.delete(one);
  }
}

/** Which files are wanted, and of which of them it is to be known whether they changed. */
export interface StampQuery extends GlobQuery {
  /** Takes a path. Default: of all of them. */
  readonly stamped?: (path: string) => boolean;
}

/** Patterns whose folders are remembered: whoever asks for stamps asks for the same again and again. */
const MOST_PATTERNS = 16;

/** Finds files and whether they changed, quickly where it was asked before. */
export class StampFinder {
  readonly #root: RootFolder;
  readonly #known = new Map<string, KnownFolders>();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /**
   * The files a pattern names, each with a stamp: a text that is another one after the file was changed. It is `''`
   * for files whose stamp is not wanted.
   */
  async find(query: StampQuery): Promise<ReadonlyMap<string, string>> {
    const { pattern, stamped = () => true, signal } = query;
    signal?.throwIfAborted();
    const stamps = new Map<string, string>();
    const scope = await patternScope(pattern, this.#root, query);
    if (scope === undefined) return stamps;
    const known = this.#knownTo(query);
    const slice = new TimeSlice();
    const start = scope.folder === '' ? 0 : scope.folder.length + 1;
    for (const file of await known.files(scope, signal)) {
      if (slice.isOver) await slice.rest();
      const path = below(scope.base, file.slice(start));
      stamps.set(path, stamped(path) ? known.stampOf(file) : '');
    }
    return stamps;
  }

  #knownTo({ pattern, all = false }: StampQuery): KnownFolders {
    const key = `${all}\0${pattern}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size === MOST_PATTERNS) this.#known.clear();
    const fresh = new KnownFolders(this.#root);
    this.#known.set(key, fresh);
    return fresh;
  }
}

/** How old a change must be, in milliseconds, for the clock of the disk to tell it from one that follows. */
const SETTLED_MS = 100;

let unsettled = 0;

/**
 * A text that is another one after a file was changed: what the disk says of it without its content.
 *
 * A file that was changed a moment ago has another stamp each time, because two changes within one tick of the
 * disk's clock would look the same.
 */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const stamp = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  return Math.abs(Date.now() - ctimeMs) < SETTLED_MS ? `${stamp}:${++unsettled}` : stamp;
}
