import type { Held } from './held.ts';
import { findInside } from './place.ts';
import type { RootFolder } from './root-folder.ts';

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
