import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { SearchScope } from './search-scope.ts';
import type { Held } from '../path/pinned-path.ts';
import { findInside } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';

/** Reads folders of a scope, those above before those in them. Whoever has one disposes of it. */
export class FolderReader implements Disposable {
  readonly #slice = new TimeSlice();
  readonly #scope: SearchScope;
  readonly #skipped: ReadonlySet<string>;
  readonly #folders: HeldFolders;
  readonly #signal: AbortSignal | undefined;

  constructor(scope: SearchScope, root: RootFolder, signal?: AbortSignal) {
    this.#scope = scope;
    this.#skipped = new Set(scope.skipped);
    this.#folders = new HeldFolders(root);
    this.#signal = signal;
  }

  /**
   * What is in a folder, without what is skipped or ignored; nothing when no folder has the path.
   *
   * @param path below the root, without links
   * @throws the signal's reason when it aborts
   */
  async read(path: string): Promise<Dirent[]> {
    await this.rest();
    let wanted: Dirent[] = [];
    await this.#folders.visit(path, async (folder) => {
      if (folder === undefined) return 0;
      // Synchronous, because that takes a tenth of the time; unlike a file, a folder is rarely large.
      const entries = readdirSync(folder.address, { withFileTypes: true });
      await folder.confirm();
      wanted = await this.#notIgnored(entries, path);
      return wanted.reduce((count, entry) => (entry.isDirectory() ? count + 1 : count), 0);
    });
    return wanted;
  }

  /** Lets others have their turn when it is time for that. */
  async rest(): Promise<void> {
    if (this.#slice.isOver) await this.#slice.rest();
    this.#signal?.throwIfAborted();
  }

  [Symbol.dispose](): void {
    this.#folders[Symbol.dispose]();
  }

  async #notIgnored(entries: readonly Dirent[], folder: string): Promise<Dirent[]> {
    const { rules } = this.#scope;
    if (rules !== undefined && !entries.some(({ name }) => name === '.gitignore')) rules.hasNone(folder);
    const ignored = await rules?.inside(folder);
    const kept: Dirent[] = [];
    for (const entry of entries) {
      if (this.#slice.isOver) await this.#slice.rest();
      const isFolder = entry.isDirectory();
      if (isFolder && this.#skipped.has(entry.name)) continue;
      if (ignored?.(isFolder ? `${entry.name}/` : entry.name) !== true) kept.push(entry);
    }
    return kept;
  }
}

interface HeldFolder {
  readonly held: Disposable & { readonly target?: Held };
  /** Folders in it that are still to be read. */
  left: number;
}

/** Folders that are held at the same time; what is in others is found from the root again. */
const MOST = 200;

/**
 * The folders of a walk from above to below, found one in the other: each is held until all in it was read, so that
 * no link that appears on the way leads out.
 */
export class HeldFolders implements Disposable {
  readonly #root: RootFolder;
  readonly #held = new Map<string, HeldFolder>();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /**
   * Reads a folder.
   *
   * @param path below the root, without links
   * @param read gets it, or undefined when no folder has the path; says how many folders in it will be read too
   */
  async visit(path: string, read: (folder: Held | undefined) => Promise<number>): Promise<void> {
    const found = this.#find(path);
    const folder = found.target?.stats.isDirectory() === true ? found.target : undefined;
    const left = await read(folder).catch((error: unknown) => {
      found[Symbol.dispose]();
      throw error;
    });
    if (left > 0 && this.#held.size < MOST) this.#held.set(path, { held: found, left });
    else found[Symbol.dispose]();
    if (path !== '') this.#leave(parentOf(path));
  }

  [Symbol.dispose](): void {
    for (const { held } of this.#held.values()) held[Symbol.dispose]();
    this.#held.clear();
  }

  #find(path: string): Disposable & { readonly target?: Held } {
    const parent = path === '' ? undefined : this.#held.get(parentOf(path))?.held.target;
    if (parent !== undefined) {
      const target = parent.child(path.slice(path.lastIndexOf('/') + 1));
      return { ...(target !== undefined && { target }), [Symbol.dispose]: () => target?.[Symbol.dispose]() };
    }
    const place = findInside(path, this.#root);
    if (place.path === path) return place;
    place[Symbol.dispose]();
    return { [Symbol.dispose]: () => undefined };
  }

  /** Lets go of a folder when all in it was read. */
  #leave(path: string): void {
    const folder = this.#held.get(path);
    if (folder === undefined || --folder.left > 0) return;
    folder.held[Symbol.dispose]();
    this.#held.delete(path);
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

const SLICE_MS = 10;

/** Divides long work of the main thread, so that others get their turn. */
export class TimeSlice {
  #began = performance.now();

  /** True when it is time to wait for `rest()`. */
  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Lets everything else that waits happen first. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
