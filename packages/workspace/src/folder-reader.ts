import { readdirSync, type Dirent } from 'node:fs';
import { HeldFolders } from './held-folders.ts';
import type { RootFolder } from './root-folder.ts';
import type { SearchScope } from './search-scope.ts';
import { TimeSlice } from './time-slice.ts';

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
