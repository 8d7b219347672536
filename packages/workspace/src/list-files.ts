import type { Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { callbackify } from 'node:util';
import type { FileSystemAdapter } from 'fast-glob';
import { FolderReader } from './folder-reader.ts';
import type { RootFolder } from './root-folder.ts';
import type { SearchScope } from './search-scope.ts';
import { TimeSlice } from './time-slice.ts';

/** How files are listed. */
export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
}

type Readdir = NonNullable<FileSystemAdapter['readdir']>;
type ReaddirDone = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** The regular files of a scope, as paths below its folder, in no order. Links are not followed. */
export async function listFiles(
  scope: SearchScope,
  root: RootFolder,
  { signal }: ListOptions = {},
): Promise<readonly string[]> {
  signal?.throwIfAborted();
  const { default: fastGlob } = await import('fast-glob');
  using reader = new FolderReader(scope, root, signal);
  const entriesOf = callbackify((folder: string) => reader.read(relative(root.path, folder)));
  const readdir = (folder: string, _options: object, done: ReaddirDone): void => entriesOf(folder, done);
  const paths = await fastGlob('**', {
    cwd: join(root.path, scope.folder),
    dot: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    unique: false,
    ...(scope.depth !== undefined && { deep: scope.depth }),
    fs: { readdir: readdir as unknown as Readdir },
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
