import { below, type GlobQuery } from './find-files.ts';
import { KnownFolders } from './known-folders.ts';
import type { RootFolder } from './root-folder.ts';
import { patternScope } from './search-scope.ts';
import { TimeSlice } from './time-slice.ts';

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
