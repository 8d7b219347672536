import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import { join, relative } from 'node:path';
import { callbackify } from 'node:util';
import type { FileSystemAdapter } from 'fast-glob';
import type { Held } from './held.ts';
import { HeldFolders } from './held-folders.ts';
import type { RootFolder } from './root-folder.ts';
import type { SearchScope } from './search-scope.ts';
import { TimeSlice } from './time-slice.ts';

/** How files are listed. */
export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  /** Gets every file that is wanted, by its path below the scope's folder, and what the disk says of it. */
  readonly onFile?: (path: string, look: () => Stats | undefined) => void;
}

/** The regular files of a scope, as paths below its folder, in no order. Links are not followed. */
export async function listFiles(
  scope: SearchScope,
  root: RootFolder,
  { signal, onFile }: ListOptions = {},
): Promise<readonly string[]> {
  signal?.throwIfAborted();
  const { default: fastGlob } = await import('fast-glob');
  using folders = new HeldFolders(root);
  const reader = new FolderReader({ scope, root, folders, signal, onFile });
  const paths = await fastGlob('**', {
    cwd: join(root.path, scope.folder),
    dot: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    unique: false,
    ...(scope.depth !== undefined && { deep: scope.depth }),
    fs: { readdir: reader.readdir },
  });
  signal?.throwIfAborted();
  return scope.matches === undefined ? paths : filtered(paths, scope.matches);
}

async function filtered(paths: readonly string[], matches: (path: string) => boolean): Promise<readonly string[]> {
  const slice = new TimeSlice();
  const found: string[] = [];
  for (const path of paths) {
    if (slice.isOver) await slice.rest();
    if (matches(path)) found.push(path);
  }
  return found;
}

type Readdir = NonNullable<FileSystemAdapter['readdir']>;
type ReaddirDone = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

interface Walk {
  readonly scope: SearchScope;
  readonly root: RootFolder;
  readonly folders: HeldFolders;
  readonly signal: AbortSignal | undefined;
  readonly onFile: ListOptions['onFile'];
}

/**
 * fast-glob's way into folders. Entries that are skipped or ignored are left out, so that such a folder is not
 * entered either.
 */
class FolderReader {
  readonly #slice = new TimeSlice();
  readonly #skipped: ReadonlySet<string>;
  readonly #walk: Walk;
  readonly readdir: Readdir;

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#skipped = new Set(walk.scope.skipped);
    const entriesOf = callbackify((folder: string) => this.#entries(folder));
    const read = (folder: string, _options: object, done: ReaddirDone): void => entriesOf(folder, done);
    this.readdir = read as unknown as Readdir;
  }

  async #entries(absolute: string): Promise<Dirent[]> {
    const { root, folders, signal } = this.#walk;
    if (this.#slice.isOver) await this.#slice.rest();
    signal?.throwIfAborted();
    const path = relative(root.path, absolute);
    let wanted: Dirent[] = [];
    await folders.visit(path, async (folder) => {
      if (folder === undefined) return 0;
      // Synchronous, because that takes a tenth of the time; unlike a file, a folder is rarely large.
      const entries = readdirSync(folder.address, { withFileTypes: true });
      await folder.confirm();
      wanted = await this.#notIgnored(entries, path);
      this.#look(folder, wanted, path);
      return wanted.reduce((count, entry) => (entry.isDirectory() ? count + 1 : count), 0);
    });
    return wanted;
  }

  /** Synchronous for the same reason: names and what the disk knows of them take microseconds. */
  #look(folder: Held, entries: readonly Dirent[], path: string): void {
    const { scope, onFile } = this.#walk;
    if (onFile === undefined) return;
    const below = path.slice(scope.folder === '' ? 0 : scope.folder.length + 1);
    for (const entry of entries) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (!entry.isFile() || scope.matches?.(name) === false) continue;
      onFile(name, () => lstatSync(folder.at(entry.name), { throwIfNoEntry: false }));
    }
  }

  async #notIgnored(entries: readonly Dirent[], folder: string): Promise<Dirent[]> {
    const { rules } = this.#walk.scope;
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
