import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { joinPath } from '../path/contain-path.ts';
import type { PinnedPath } from '../path/pinned-path.ts';
import { resolveInside } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import type { SearchScope } from './search-scope.ts';

/** What is wanted of a folder: paths below the root. */
export interface FolderEntries {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** How folders are walked. */
export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Looks at a folder; what it does not read is not read. Default: reads every folder. */
  readonly look?: (path: string, read: () => Promise<FolderEntries>) => Promise<FolderEntries>;
}

type PinnedFolder = Disposable & { readonly target?: PinnedPath };

/**
 * Lists the regular files of a scope, as paths below the root, in no order. Links are not followed.
 *
 * Each folder is pinned until all in it was read, so that no link that appears on the way leads out.
 */
export async function walkFolders(
  scope: SearchScope,
  root: RootFolder,
  { signal, look = (_path, read) => read() }: WalkOptions = {},
): Promise<readonly string[]> {
  const slice = new TimeSlice();
  const found: string[] = [];
  const visit = async (path: string, depth: number, parent?: PinnedPath): Promise<void> => {
    if (slice.isOver) await slice.rest();
    signal?.throwIfAborted();
    let folder: PinnedFolder | undefined;
    const read = async () => {
      try {
        folder = pinFolder(path, root, parent);
        return await readFolder(path, folder.target, { scope, slice });
      } catch {
        // A folder that cannot be read hides no others.
        return { files: [], folders: [] };
      }
    };
    try {
      const { files, folders } = await look(path, read);
      for (const file of files) found.push(file);
      if (depth === scope.depth) return;
      for (const one of folders) await visit(one, depth + 1, folder?.target);
    } finally {
      folder?.[Symbol.dispose]();
    }
  };
  await visit(scope.folder, 1);
  return found;
}

function pinFolder(path: string, root: RootFolder, parent: PinnedPath | undefined): PinnedFolder {
  if (parent !== undefined) {
    const target = parent.child(path.slice(path.lastIndexOf('/') + 1));
    return { ...(target !== undefined && { target }), [Symbol.dispose]: () => target?.[Symbol.dispose]() };
  }
  const resolved = resolveInside(path, root);
  if (resolved.path === path) return resolved;
  resolved[Symbol.dispose]();
  return { [Symbol.dispose]: () => undefined };
}

/** Reads a folder without what is skipped, ignored or not meant; nothing when it is none. */
async function readFolder(
  path: string,
  folder: PinnedPath | undefined,
  { scope, slice }: { readonly scope: SearchScope; readonly slice: TimeSlice },
): Promise<FolderEntries> {
  const files: string[] = [];
  const folders: string[] = [];
  if (folder?.stats.isDirectory() !== true) return { files, folders };
  // Synchronous, because that takes a tenth of the time; unlike a file, a folder is rarely large.
  const entries = readdirSync(folder.address, { withFileTypes: true });
  await folder.confirm();
  const { rules } = scope;
  if (rules !== undefined && !entries.some(({ name }) => name === '.gitignore')) rules.hasNone(path);
  const isIgnored = (await rules?.inside(path)) ?? (() => false);
  const start = scope.folder === '' ? 0 : scope.folder.length + 1;
  for (const entry of entries) {
    if (slice.isOver) await slice.rest();
    const child = joinPath(path, entry.name);
    if (entry.isDirectory()) {
      if (!scope.skipped.includes(entry.name) && !isIgnored(`${entry.name}/`)) folders.push(child);
    } else if (entry.isFile() && !isIgnored(entry.name) && scope.matches?.(child.slice(start)) !== false) {
      files.push(child);
    }
  }
  return { files, folders };
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
