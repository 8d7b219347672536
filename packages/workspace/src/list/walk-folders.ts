import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { SearchScope } from './search-scope.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import { type PinnedPath } from '../path/pinned-path.ts';
import { type FilesView, type RootFolder, appendPath } from '../path/root-folder.ts';

/** The selected entries of a folder, as paths relative to the root. */
export interface FolderEntries {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Links that would be listed if they were files. */
  readonly links: readonly string[];
}

export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the links that would be listed if they were files. Default: they are ignored. */
  readonly onLink?: ((path: string) => void) | undefined;
  /** Returns the known entries of a folder, which is then not read. Default: nothing is known. */
  readonly recall?: (path: string) => FolderEntries | undefined;
  /** Receives the entries that were read, right after `recall` for the same folder. */
  readonly remember?: (path: string, entries: FolderEntries) => void;
}

type PinnedFolder = Disposable & { readonly target?: PinnedPath };

/** A folder to visit, or a folder to release after everything in it was visited. */
type Step = { readonly path: string; readonly depth: number; readonly parent?: PinnedPath | undefined } | PinnedFolder;

/**
 * Lists the regular files of a scope, as paths relative to the root, in no particular order. Links are not followed:
 * each folder is pinned until everything in it was read, so that a link created during the walk cannot lead out.
 */
export async function walkFolders(
  scope: SearchScope,
  root: RootFolder,
  { signal, onLink, recall, remember }: WalkOptions = {},
): Promise<readonly string[]> {
  const slice = new TimeSlice();
  const found: string[] = [];
  const steps: Step[] = [{ path: scope.folder, depth: 1 }];
  try {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      if (!('path' in step)) {
        step[Symbol.dispose]();
        continue;
      }
      if (slice.isOver) await slice.rest();
      signal?.throwIfAborted();
      const { path, depth, parent } = step;
      let entries = recall?.(path);
      let folder: PinnedFolder | undefined;
      if (entries === undefined) {
        folder = pinFolder(path, root, parent);
        steps.push(folder);
        entries = await readWantedEntries(path, folder.target, { scope, slice, draft: root.draft });
        remember?.(path, entries);
      }
      if (onLink !== undefined) for (const link of entries.links) onLink(link);
      for (const file of entries.files) found.push(file);
      if (depth === scope.depth) continue;
      for (const child of entries.folders) steps.push({ path: child, depth: depth + 1, parent: folder?.target });
    }
    return found;
  } finally {
    for (const step of steps) if (!('path' in step)) step[Symbol.dispose]();
  }
}

/** Pins a folder; the result has no target when the folder cannot be reached, or was replaced by a link. */
function pinFolder(path: string, root: RootFolder, parent: PinnedPath | undefined): PinnedFolder {
  try {
    if (parent !== undefined) {
      const target = parent.child(path.slice(path.lastIndexOf('/') + 1));
      return { ...(target !== undefined && { target }), [Symbol.dispose]: () => target?.[Symbol.dispose]() };
    }
    const { target, path: real, [Symbol.dispose]: dispose } = resolveBelowRoot(path, root);
    return { ...(real === path && target !== undefined && { target }), [Symbol.dispose]: dispose };
  } catch {
    return { [Symbol.dispose]: () => undefined };
  }
}

interface ReadOptions {
  readonly scope: SearchScope;
  readonly slice: TimeSlice;
  readonly draft: FilesView | undefined;
}

/** Reads a folder without entries that are skipped, ignored or not selected; returns nothing when it cannot be read. */
async function readWantedEntries(
  path: string,
  folder: PinnedPath | undefined,
  { scope, slice, draft }: ReadOptions,
): Promise<FolderEntries> {
  const files: string[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  const onDisk = folder?.stats.isDirectory() === true ? await readNames(folder) : [];
  const entries = draft?.list(path, onDisk) ?? onDisk;
  const { rules } = scope;
  if (rules !== undefined && !entries.some(({ name }) => name === '.gitignore')) rules.hasNone(path);
  const isIgnored = (await rules?.inside(path)) ?? (() => false);
  const start = scope.folder === '' ? 0 : scope.folder.length + 1;
  const isWanted = (name: string, child: string): boolean =>
    scope.matches?.(child.slice(start)) !== false && !isIgnored(name);
  for (const entry of entries) {
    if (slice.isOver) await slice.rest();
    const child = appendPath(path, entry.name);
    if (entry.isDirectory()) {
      if (!scope.skipped.includes(entry.name) && !isIgnored(`${entry.name}/`)) folders.push(child);
    } else if (entry.isFile()) {
      if (isWanted(entry.name, child)) files.push(child);
    } else if (entry.isSymbolicLink() && !scope.skipped.includes(entry.name) && isWanted(entry.name, child))
      links.push(child);
  }
  return { files, folders, links };
}

/** Lists the entries of a folder; a folder that cannot be read counts as empty, so that the others are still listed. */
async function readNames(folder: PinnedPath): Promise<readonly Dirent[]> {
  try {
    // Synchronous, because that takes a tenth of the time; unlike a file, a folder is rarely large.
    const entries = readdirSync(folder.address, { withFileTypes: true });
    await folder.confirm();
    return entries;
  } catch {
    return [];
  }
}

const SLICE_MS = 10;

/** Divides long work on the main thread into slices, so that other work can run. */
export class TimeSlice {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Lets all other pending work run first. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
