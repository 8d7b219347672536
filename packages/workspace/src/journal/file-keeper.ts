import { openContent, PERMISSIONS } from '../file/file-content.ts';
import { PathQueue } from '../write/file-lock.ts';
import { readSize, StampFinder } from '../list/folder-cache.ts';
import { TimeSlice } from '../list/walk-folders.ts';
import type { PinnedPath } from '../path/pinned-path.ts';
import { resolveWithoutLinks } from '../path/resolve-path.ts';
import { parentOf } from '../path/root-folder.ts';
import { ContentPack, ALL_FILES, describeTooMuch, KeptFiles, type KeptFile } from './kept-files.ts';
import type { UndoPorts } from './undo.ts';

/**
 * Keeps the contents of files before a program runs that may change them. The first time all of them are copied, later
 * those that have changed since.
 */
export class FileKeeper {
  readonly #ports: UndoPorts;
  readonly #settle: () => Promise<void>;
  readonly #finder: StampFinder;
  readonly #turns = new PathQueue();
  #pack: ContentPack | undefined;
  #kept: ReadonlyMap<string, KeptFile> = new Map();

  /** @param settle determines the outcome of interrupted changes, which is read from the files */
  constructor(ports: UndoPorts, settle: () => Promise<void>) {
    this.#ports = ports;
    this.#settle = settle;
    this.#finder = new StampFinder(ports.root);
  }

  keep(signal?: AbortSignal): Promise<KeptFiles> {
    const { root } = this.#ports;
    return this.#turns.run('', () => root.inDraft(undefined, () => this.#keep(signal)));
  }

  async #keep(signal: AbortSignal | undefined): Promise<KeptFiles> {
    await this.#settle();
    const since = this.#ports.journal.mark();
    const { stamps, folders } = await this.#finder.look({ pattern: ALL_FILES, signal });
    const unkept = new Map<string, string>();
    const chosen = this.#choose(stamps, unkept);
    const kept = new Map<string, KeptFile>();
    const copied: string[] = [];
    for (const path of chosen) {
      const known = this.#kept.get(path);
      if (known !== undefined && known.stamp === stamps.get(path)) kept.set(path, known);
      else copied.push(path);
    }
    const size = copied.reduce((sum, path) => sum + readSize(stamps.get(path)!), 0);
    // A larger pack would have more contents of earlier versions than of files. A new one gets all files.
    if (this.#pack === undefined || this.#pack.size + size > 2 * this.#ports.journal.bounds.kept) {
      this.#pack = await this.#openPack();
      for (const path of kept.keys()) copied.push(path);
      kept.clear();
    }
    await this.#copyAll(copied, { stamps, kept, unkept }, signal);
    this.#kept = kept;
    return new KeptFiles({ since, stamps, folders, kept, unkept }, { ...this.#ports, finder: this.#finder });
  }

  /** Chooses the files to keep, the smallest first, and says why the others are not kept. */
  #choose(stamps: ReadonlyMap<string, string>, unkept: Map<string, string>): readonly string[] {
    const files: { readonly path: string; readonly size: number }[] = [];
    let total = 0;
    for (const [path, stamp] of stamps) {
      // A file that is kept was allowed to be.
      const protection = this.#kept.has(path) ? undefined : this.#ports.root.findProtection(path);
      if (protection !== undefined) {
        unkept.set(path, `it ${protection.is}`);
        continue;
      }
      const size = readSize(stamp);
      files.push({ path, size });
      total += size;
    }
    const { bounds } = this.#ports.journal;
    if (total <= bounds.kept) return files.map(({ path }) => path);
    let room = bounds.kept;
    return files
      .toSorted((a, b) => a.size - b.size)
      .flatMap(({ path, size }) => {
        room -= size;
        if (room >= 0) return [path];
        unkept.set(path, describeTooMuch(size, bounds));
        return [];
      });
  }

  /** Opens a new pack; undefined where there is no place for it. */
  async #openPack(): Promise<ContentPack | undefined> {
    try {
      return new ContentPack(await this.#ports.journal.openUnnamed());
    } catch {
      return undefined;
    }
  }

  /** Copies files into the pack; says of those that cannot be read, or have no room on the disk, that they are not kept. */
  async #copyAll(paths: readonly string[], { stamps, kept, unkept }: Copies, signal?: AbortSignal): Promise<void> {
    const slice = new TimeSlice();
    for (const [folder, group] of Map.groupBy(paths, parentOf)) {
      using found = resolveWithoutLinks(folder, this.#ports.root);
      for (const path of group) {
        signal?.throwIfAborted();
        if (slice.isOver) await slice.rest();
        const file = await copyFile(path, found?.target, this.#pack);
        if (file === undefined) unkept.set(path, 'its content could not be copied');
        else kept.set(path, { ...file, stamp: stamps.get(path)! });
      }
    }
  }
}

interface Copies {
  readonly stamps: ReadonlyMap<string, string>;
  readonly kept: Map<string, KeptFile>;
  readonly unkept: Map<string, string>;
}

async function copyFile(
  path: string,
  folder: PinnedPath | undefined,
  pack: ContentPack | undefined,
): Promise<Omit<KeptFile, 'stamp'> | undefined> {
  if (folder === undefined || pack === undefined) return undefined;
  try {
    using target = folder.child(path.slice(path.lastIndexOf('/') + 1));
    if (target === undefined) return undefined;
    await using content = await openContent({ given: path, target, stats: target.stats });
    return { mode: target.stats.mode & PERMISSIONS, ...(await pack.add(content.chunks())) };
  } catch {
    return undefined;
  }
}
