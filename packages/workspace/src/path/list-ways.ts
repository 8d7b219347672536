import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Maximum number of links on the way to a file, as for the system. */
const MOST_LINKS = 40;

/**
 * Lists the paths that are followed to reach files: the given ones, one for each link on the way, and those without
 * links. If one of these links were replaced, another file would be found.
 */
export function listWays(files: readonly string[]): readonly string[] {
  const finder = new WayFinder();
  return [...new Set(files.flatMap((file) => finder.list(resolve(file))))];
}

/** Resolves the links in the existing part of a path: for a new file, those of its folder. */
export function findRealFile(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(findRealFile(folder), basename(path));
  }
}

/** Remembers what it has looked up: files have most of their folders in common, and there may be thousands. */
class WayFinder {
  /** The outermost link on the way to a path and its target, by path. */
  readonly #links = new Map<string, Link | undefined>();
  readonly #folders = new Map<string, string>();

  list(path: string, most = MOST_LINKS): readonly string[] {
    const link = this.#findLink(path);
    // The system may have another spelling of a folder.
    if (link === undefined) return [path, join(this.#findRealFolder(dirname(path)), basename(path))];
    const next = join(resolve(dirname(link.path), link.target), relative(link.path, path));
    return most === 0 ? [path] : [path, ...this.list(next, most - 1)];
  }

  #findLink(path: string): Link | undefined {
    if (this.#links.has(path)) return this.#links.get(path);
    const folder = dirname(path);
    const above = folder === path ? undefined : this.#findLink(folder);
    const target = above === undefined ? readLink(path) : undefined;
    const link = target === undefined ? above : { path, target };
    this.#links.set(path, link);
    return link;
  }

  #findRealFolder(folder: string): string {
    const real = this.#folders.get(folder) ?? findRealFile(folder);
    this.#folders.set(folder, real);
    return real;
  }
}

interface Link {
  readonly path: string;
  readonly target: string;
}

/** Returns the target of a link; undefined for anything else. */
function readLink(path: string): string | undefined {
  try {
    // An error takes ten times as long as this test, and most paths are no links.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
